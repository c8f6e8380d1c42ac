/** How large a value can be, at least and at most. */
export interface Size {
  readonly min: number;
  readonly max: number;
}

export const unknownSize: Size = { min: 0, max: Number.POSITIVE_INFINITY };
export const fixedSize = (size: number): Size => ({ min: size, max: size });

export const sizeSum = (a: Size, b: Size): Size => ({ min: a.min + b.min, max: a.max + b.max });
export const sizeUnion = (a: Size, b: Size): Size => ({ min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) });

/** A product in which nothing times anything is nothing, however large that can be. */
export const times = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : a * b);
export const sizeProduct = (a: Size, b: Size): Size => ({ min: times(a.min, b.min), max: times(a.max, b.max) });

/** The cost of looking at so many things. */
export const scaled = (count: number, factor: number): number => Math.ceil(times(count, factor));
