import { CidrValue } from '../library/cidr-ranges.js';
import { IpValue } from '../library/ip-addresses.js';
import { ListValue, MapValue, OptionalValue, type Value } from '../values/value.js';

/** How large a value counts for cost. */
export function valueSize(value: Value | undefined): number {
  if (typeof value === 'string') return codePoints(value);
  if (value instanceof ListValue || value instanceof MapValue) return value.size;
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof IpValue) return value.ip.version === 4 ? 4 : 16;
  if (value instanceof CidrValue) return value.ip.version === 4 ? 5 : 17;
  if (value instanceof OptionalValue) return valueSize(value.value);
  return 1;
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** What it costs to look at all of a value. */
export function traversal(value: Value | undefined): number {
  if (value instanceof ListValue) {
    let cost = 0;
    for (const item of value) cost += traversal(item);
    return cost;
  }
  if (typeof value === 'string' || value instanceof Uint8Array || value instanceof MapValue) {
    return Math.ceil(valueSize(value) * stringFactor);
  }
  return 1;
}

/** Cost of a character that is looked at. */
export const stringFactor = 0.1;
/** Cost of a character of a regular expression. */
export const patternFactor = 0.25;

/** How long the real server takes the regular expressions of named formats to be. */
export const formatPatternSizes: Readonly<Record<string, number>> = {
  dns1123Label: 30,
  dns1123Subdomain: 60,
  dns1035Label: 30,
  qualifiedName: 60,
  dns1123LabelPrefix: 30,
  dns1123SubdomainPrefix: 60,
  dns1035LabelPrefix: 30,
  labelValue: 40,
  uri: 1000,
  uuid: 32,
  byte: 0,
  date: 0,
  datetime: 0,
};
