import { isObject, valueAt, type JsonObject } from '../json.js';
import type { RandomSource } from '../random.js';
import { corrupted } from './corruption.js';
import type { EventMatch } from './event-match.js';
import type { FaultAction } from './fault.js';
import type { RequestFaults } from './request-faults.js';

/** One fault at work on the lines of one stream. */
interface Stage {
  /** What is sent before the first line. */
  begin?(): Buffer[];
  /** What is sent in place of a line. */
  take(line: Buffer): Buffer[];
  /** What is still held back when the stream ends. */
  rest?(): Buffer[];
}

/** The faults of one stream that change which lines are sent, each working on what the one before it lets through. */
export class EventFaults {
  readonly #stages: Stage[] = [];

  constructor(faults: RequestFaults) {
    faults.forEach((action, random) => {
      const stage = stageOf(action, random);
      if (stage !== undefined) this.#stages.push(stage);
    });
  }

  begin(): Buffer[] {
    return this.#stages.flatMap((stage, index) => this.#through(stage.begin?.() ?? [], index + 1));
  }

  take(line: Buffer): Buffer[] {
    return this.#through([line], 0);
  }

  rest(): Buffer[] {
    return this.#stages.flatMap((stage, index) => this.#through(stage.rest?.() ?? [], index + 1));
  }

  #through(lines: Buffer[], from: number): Buffer[] {
    let passing = lines;
    for (const stage of this.#stages.slice(from)) passing = passing.flatMap((line) => stage.take(line));
    return passing;
  }
}

function stageOf(action: FaultAction, random: RandomSource): Stage | undefined {
  switch (action.action) {
    case 'dropEvents':
      return each(action.events, random, () => []);
    case 'duplicateEvents':
      return each(action.events, random, (line) => [line, line]);
    case 'corrupt':
      return each(action.events, random, (line) => [corrupted(line, action.how ?? 'truncate')]);
    case 'reorderEvents':
      return new Reordering(hits(action.events, random), action.by ?? 1);
    case 'changeEvents':
      return each(action.events, random, (line) => [changed(line, action.type, action.object)]);
    case 'omitInitialEventsEnd':
      return each(undefined, random, (line) => [withoutEndMark(line)]);
    case 'inject':
      return new Injection(lineOf(action.line), action.afterEvents ?? 0);
    default:
      return undefined;
  }
}

const lineOf = (content: string | JsonObject): Buffer =>
  Buffer.from(`${typeof content === 'string' ? content : JSON.stringify(content)}\n`);

function each(match: EventMatch | undefined, random: RandomSource, change: (line: Buffer) => Buffer[]): Stage {
  const hit = hits(match, random);
  return { take: (line) => (hit(line) ? change(line) : [line]) };
}

/** Holds lines back until so many others have passed. */
class Reordering implements Stage {
  #held: { line: Buffer; left: number }[] = [];

  constructor(
    private readonly hit: (line: Buffer) => boolean,
    private readonly by: number,
  ) {}

  take(line: Buffer): Buffer[] {
    if (this.hit(line)) {
      this.#held.push({ line, left: this.by });
      return [];
    }
    for (const held of this.#held) held.left--;
    const due = this.#held.filter(({ left }) => left <= 0);
    this.#held = this.#held.filter(({ left }) => left > 0);
    return [line, ...due.map((held) => held.line)];
  }

  rest(): Buffer[] {
    return this.#held.splice(0).map(({ line }) => line);
  }
}

/** Adds a line after so many others. */
class Injection implements Stage {
  #left: number;

  constructor(
    private readonly line: Buffer,
    after: number,
  ) {
    this.#left = after;
  }

  begin(): Buffer[] {
    return this.#left === 0 ? [this.line] : [];
  }

  take(line: Buffer): Buffer[] {
    return --this.#left === 0 ? [line, this.line] : [line];
  }
}

/** Decides line by line which ones a fault hits. */
function hits(match: EventMatch = {}, random: RandomSource): (line: Buffer) => boolean {
  const { nth = 1, times = Infinity, probability } = match;
  let seen = 0;
  let hit = 0;
  return (line) => {
    if (!matches(match, line) || ++seen < nth || hit >= times) return false;
    if (probability !== undefined && random() >= probability) return false;
    hit++;
    return true;
  };
}

function matches({ type, namespace, name }: EventMatch, line: Buffer): boolean {
  if (type === undefined && namespace === undefined && name === undefined) return true;
  const event = read(line);
  if (event === undefined) return false;
  // The object of a Table lies in its row.
  const metadata = (
    valueAt(event, ['object', 'metadata', 'name']) === undefined
      ? valueAt(rowOf(event), ['object', 'metadata'])
      : valueAt(event, ['object', 'metadata'])
  ) as JsonObject | undefined;
  return (
    (type === undefined || event['type'] === type) &&
    (namespace === undefined || metadata?.['namespace'] === namespace) &&
    (name === undefined || metadata?.['name'] === name)
  );
}

function rowOf(event: JsonObject): unknown {
  const rows = valueAt(event, ['object', 'rows']);
  return Array.isArray(rows) ? rows[0] : undefined;
}

function read(line: Buffer): JsonObject | undefined {
  try {
    const event: unknown = JSON.parse(line.toString());
    return isObject(event) ? event : undefined;
  } catch {
    // Another fault has spoilt the line.
    return undefined;
  }
}

function changed(
  line: Buffer,
  type: string | undefined,
  object: JsonObject | ((object: JsonObject) => JsonObject) | undefined,
): Buffer {
  const event = read(line);
  if (event === undefined) return line;
  const before = event['object'] as JsonObject;
  const after = typeof object === 'function' ? object(before) : (object ?? before);
  return lineOf({ type: type ?? event['type'], object: after });
}

const endMark = 'k8s.io/initial-events-end';

function withoutEndMark(line: Buffer): Buffer {
  if (!line.includes(endMark)) return line;
  const event = read(line);
  if (event?.['type'] !== 'BOOKMARK') return line;
  // In a Table the bookmark lies in the row.
  for (const object of [event['object'], valueAt(rowOf(event), ['object'])]) {
    const annotations = valueAt(object, ['metadata', 'annotations']);
    if (isObject(annotations)) delete annotations[endMark];
  }
  return lineOf(event);
}
