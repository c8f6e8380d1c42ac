import type { Clock } from '../ports/index.js';
import { shorten, type EventContent } from './event-body.js';

/** What is not repeated for this long begins anew. */
const window = 600_000;
/** So many different texts of one kind within the window, then further ones count as one. */
const differentTexts = 10;
/** Series remembered; the one that was repeated longest ago is forgotten first. */
const mostSeries = 4_096;

/** One event on the server, and how often it came. */
export interface EventSeries {
  readonly uid: string;
  readonly namespace: string;
  /** Of the object that it is about. */
  readonly objectName: string;
  readonly content: EventContent;
  count: number;
  /** Of the first and of the last occurrence, milliseconds since 1970. */
  readonly firstAt: number;
  lastAt: number;
  /** Monotonic, of the last occurrence. */
  seenAt: number;
  /** The name under which the server has it. */
  name: string | undefined;
  /** It waits for its turn. */
  waiting: boolean;
}

interface Kind {
  /** Series with a text of their own that were begun. */
  texts: number;
  seenAt: number;
}

/**
 * Tells which occurrences are one event: those about one object with one type, reason, action and text; beyond ten texts
 * within ten minutes, all further ones of that type, reason and action.
 */
export class EventSeriesCache {
  readonly #series = new Map<string, EventSeries>();
  readonly #kinds = new Map<string, Kind>();

  constructor(private readonly clock: Clock) {}

  /** Counts one occurrence, in a series of its own or in one that goes on. */
  count(
    about: { readonly uid: string; readonly name: string; readonly namespace: string },
    content: EventContent,
  ): EventSeries {
    const seenAt = this.clock.monotonic();
    const now = this.clock.now();
    forgetOld(this.#series, seenAt);
    forgetOld(this.#kinds, seenAt);
    const ofKind = JSON.stringify([about.uid, content.type, content.reason, content.action]);
    const ofText = `${ofKind}${content.note}`;
    const kind = this.#kindOf(ofKind, seenAt);
    const combined = !this.#series.has(ofText) && kind.texts >= differentTexts;
    const key = combined ? ofKind : ofText;
    const known = this.#series.get(key);
    if (known !== undefined) {
      this.#series.delete(key);
      known.count += 1;
      known.lastAt = now;
      known.seenAt = seenAt;
      this.#series.set(key, known);
      return known;
    }
    const begun: EventSeries = {
      uid: about.uid,
      namespace: about.namespace,
      objectName: about.name,
      content: combined ? { ...content, note: shorten(`(with similar events) ${content.note}`) } : content,
      count: 1,
      firstAt: now,
      lastAt: now,
      seenAt,
      name: undefined,
      waiting: false,
    };
    if (!combined) kind.texts += 1;
    this.#series.set(key, begun);
    return begun;
  }

  #kindOf(key: string, seenAt: number): Kind {
    const kind = this.#kinds.get(key) ?? { texts: 0, seenAt };
    kind.seenAt = seenAt;
    this.#kinds.delete(key);
    this.#kinds.set(key, kind);
    return kind;
  }
}

/** Forgets what is too old, and the oldest of too many. The entries are in the order of the last occurrence. */
function forgetOld(entries: Map<string, { readonly seenAt: number }>, now: number): void {
  for (const [key, { seenAt }] of entries) {
    if (now - seenAt < window && entries.size < mostSeries) return;
    entries.delete(key);
  }
}
