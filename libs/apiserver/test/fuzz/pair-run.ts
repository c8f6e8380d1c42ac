import { setTimeout as delay } from 'node:timers/promises';
import { questions } from './areas.js';
import { Dice } from './dice.js';
import { agree, type Answers, type ServerPair } from './pair.js';
import type { PairWorld } from './pair-world.js';
import { inNamespace, type Question } from './question.js';

/** A question that the servers answer differently. */
export interface Difference extends Answers {
  /** Which one of its seed it is, from 1. */
  readonly number: number;
}

export interface PairRun {
  readonly seed: number;
  readonly cases: number;
  /** Whether a difference is none that time would mend. */
  readonly isKnown: (answers: Answers) => boolean;
}

/** How many questions are asked in one namespace. */
const perNamespace = 200;
/** What the real server has not seen yet it sees after a while, in milliseconds. */
const patience = [20, 100, 500];

/** Asks both servers so many questions of a seed, and answers where they differ. */
export async function runPair(
  pair: ServerPair,
  world: PairWorld,
  { seed, cases, isKnown }: PairRun,
): Promise<Difference[]> {
  const differences: Difference[] = [];
  let namespace = await world.fresh();
  let number = 0;
  for (const question of questions(new Dice(seed), { shared: true })) {
    if (++number > cases) break;
    if (number % perNamespace === 0) namespace = await world.fresh();
    const answers = await askUntilSettled(pair, inNamespace(question, namespace), isKnown);
    if (agree(answers)) continue;
    differences.push({ ...answers, number });
    if (hasWritten(answers)) namespace = await world.fresh();
  }
  return differences;
}

async function askUntilSettled(pair: ServerPair, question: Question, isKnown: PairRun['isKnown']): Promise<Answers> {
  let answers = await pair.ask(question);
  if (!isRead(question)) return answers;
  for (const time of patience) {
    if (agree(answers) || isKnown(answers)) break;
    await delay(time);
    answers = await pair.ask(question);
  }
  return answers;
}

const isRead = ({ method, path }: Question): boolean => /^(GET|HEAD)$/.test(method) || /[?&]dryRun=All/.test(path);

/** Whether a server may have stored something: from then on they are not in the same state. */
const hasWritten = ({ question, embedded, real }: Answers): boolean =>
  !isRead(question) && (embedded.status < 300 || real.status < 300);
