import { readFileSync } from 'node:fs';
import type { Schema } from '../../src/custom/schema.js';

function linesOf<T>(name: string): T[] {
  const text = readFileSync(new URL(`recorded/${name}.jsonl`, import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

/** An expression, and what the real server made of it: a text, why it failed, or why it was refused. */
export interface RecordedExpression {
  readonly expression: string;
  readonly value?: string;
  readonly failure?: string;
  readonly refused?: string;
}

export const recordedExpressions = (): RecordedExpression[] => linesOf('expressions');

/** Rules over an object with some properties, and what the real server estimates that they cost. */
export interface RecordedCosts {
  readonly properties: Record<string, Schema>;
  readonly costs: Readonly<Record<string, number | 'unbounded'>>;
}

export const recordedCosts = (): RecordedCosts[] => linesOf('costs');

/** Rules over an object with some properties, and what the real server has against them; empty where nothing. */
export interface RecordedRefusals {
  readonly properties: Record<string, Schema>;
  readonly rules: readonly { readonly rule: string; readonly refusal: string }[];
}

export function recordedRefusals(): RecordedRefusals {
  const [first, ...rules] = linesOf<unknown>('refusals');
  return { ...(first as Pick<RecordedRefusals, 'properties'>), rules: rules as RecordedRefusals['rules'] };
}

/** Texts, and the formats that the real server says they are not of. */
export interface RecordedFormats {
  readonly formats: readonly string[];
  readonly texts: readonly { readonly value: string; readonly refused: readonly string[] }[];
}

export function recordedFormats(): RecordedFormats {
  const [first, ...texts] = linesOf<unknown>('formats');
  return { ...(first as Pick<RecordedFormats, 'formats'>), texts: texts as RecordedFormats['texts'] };
}

/** A definition, or the one property of a good one, and what the real server has against it. */
export interface RecordedDefinition {
  readonly name: string;
  readonly definition?: unknown;
  readonly property?: unknown;
  readonly causes: readonly (readonly [string, string, string])[];
}

export const recordedDefinitions = (): RecordedDefinition[] => linesOf('definitions');
