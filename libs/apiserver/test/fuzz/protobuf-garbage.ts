import type { Dice } from './dice.js';

const magic = Buffer.from('k8s\0');

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest % 128) | 0x80);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Buffer.from(bytes);
}

const field = (number: number, wire: number, content: Buffer): Buffer =>
  Buffer.concat([varint(number * 8 + wire), content]);
const delimited = (number: number, content: Buffer): Buffer =>
  field(number, 2, Buffer.concat([varint(content.length), content]));

/** Fields at random, some of them messages of such fields: well-formed, whatever they mean. */
function message(dice: Dice, depth: number): Buffer {
  return Buffer.concat(
    dice.many(5, () => {
      const number = 1 + dice.below(dice.chance(0.9) ? 12 : 70_000);
      const kind = dice.below(5);
      if (kind === 0) return field(number, 0, varint(dice.pick([0, 1, 300, 2 ** 31, 2 ** 52])));
      if (kind === 1) return field(number, dice.pick([1, 5]), dice.bytes(9));
      if (kind === 2) return delimited(number, Buffer.from(dice.text().toWellFormed()));
      return delimited(number, depth > 0 ? message(dice, depth - 1) : dice.bytes(6));
    }),
  );
}

/** A body in protobuf: an envelope with a type that is served, and anything in it; sometimes not even that. */
export function protobufGarbage(dice: Dice, apiVersion: string, kind: string): Buffer {
  const metadata = delimited(1, Buffer.concat([delimited(1, Buffer.from('a')), message(dice, 2)]));
  const object = Buffer.concat([dice.chance(0.8) ? metadata : Buffer.alloc(0), message(dice, 3)]);
  const type = Buffer.concat([delimited(1, Buffer.from(apiVersion)), delimited(2, Buffer.from(kind))]);
  let envelope: Buffer = Buffer.concat([
    dice.chance(0.95) ? magic : dice.bytes(4),
    delimited(1, type),
    delimited(2, object),
  ]);
  if (dice.chance(0.4)) {
    for (let times = dice.below(3); times >= 0 && envelope.length > 0; times--) {
      const at = dice.below(envelope.length);
      const kindOfDamage = dice.below(3);
      if (kindOfDamage === 0) envelope = envelope.subarray(0, at);
      else if (kindOfDamage === 1)
        envelope = Buffer.concat([envelope.subarray(0, at), dice.bytes(3), envelope.subarray(at)]);
      else {
        envelope = Buffer.from(envelope);
        envelope[at] = dice.below(256);
      }
    }
  }
  return envelope;
}
