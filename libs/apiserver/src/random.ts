import { randomUUID } from 'node:crypto';

/** A source of numbers in [0, 1). Pass a seeded one to make uids, generated names and stream lengths repeatable. */
export type RandomSource = () => number;

// No vowels and no characters that are easily confused, like the names that Kubernetes generates.
const nameAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

export function randomSuffix(random: RandomSource, length = 5): string {
  let out = '';
  for (let i = 0; i < length; i++) out += nameAlphabet[Math.floor(random() * nameAlphabet.length)];
  return out;
}

/** A version 4 UUID made from `random`. */
export function randomUuid(random: RandomSource): string {
  // Where nobody asked for other numbers, the system's own are quicker to be had.
  if (random === Math.random) return randomUUID();
  const bytes = new Uint8Array(16);
  for (let index = 0; index < bytes.length; index++) bytes[index] = Math.floor(random() * 256);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Buffer.from(bytes).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
