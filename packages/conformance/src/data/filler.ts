import type { AttributeValue, Sizes } from '@pocketllm/abi';
import type { Random } from './random.js';

/** What an operand of a call is filled for. */
export interface FillContext {
  readonly count: number;
  readonly random: Random;
  readonly sizes: Sizes;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
  /** Operands that are filled already: weights, decoded, come first. */
  readonly values: Readonly<Record<string, Float32Array | Int32Array>>;
}

/** Gives the elements of an operand, row-major: floats for activations and vectors, integers for indices. */
export type Filler = (context: FillContext) => Float32Array | Int32Array;

export const normal: Filler = ({ count, random }) => random.floats(count);

/** Learned gains: around 1, some of them negative. */
export const gains: Filler = ({ count, random }) =>
  Float32Array.from({ length: count }, () => (1 + random.normal() / 4) * (random.below(8) === 0 ? -1 : 1));

export const zeros: Filler = ({ count }) => new Float32Array(count);

export const filled =
  (value: number): Filler =>
  ({ count }) =>
    new Float32Array(count).fill(value);

/** Random values times `factor`. */
export const scaled =
  (factor: number, filler: Filler = normal): Filler =>
  (context) =>
    Float32Array.from(filler(context), (value) => value * factor);

/** Below the smallest normal single, with both signs. */
const denormals: Filler = ({ count, random }) =>
  Float32Array.from({ length: count }, () => random.normal() * 2 ** -130);

/** Ordinary values, with one of 1e5 in each row. */
const oneOutlierARow: Filler = ({ count, random, sizes }) => {
  const values = random.floats(count);
  const cols = count / sizes.rows!;
  for (let r = 0; r < sizes.rows!; r++) values[r * cols + random.below(cols)] = r % 2 === 0 ? 1e5 : -1e5;
  return values;
};

/** Ordinary values, with one row of NaN in the middle. */
export const oneRowOfNaN: Filler = ({ count, random, sizes }) => {
  const values = random.floats(count);
  const cols = count / sizes.rows!;
  const row = Math.floor(sizes.rows! / 2);
  return values.fill(Number.NaN, row * cols, (row + 1) * cols);
};

/** Integers from 0 up to a size of the call. */
export const indicesBelow =
  (size: string): Filler =>
  ({ count, random, sizes }) =>
    Int32Array.from({ length: count }, () => random.below(sizes[size]!));

export const integers =
  (...values: readonly number[]): Filler =>
  ({ count }) =>
    Int32Array.from({ length: count }, (_, i) => values[i % values.length]!);

/** The edges that any op on rows of activations has to stand, for each of its inputs named. */
export function extremesOf(...inputs: readonly string[]): Record<string, Record<string, Filler>> {
  const all = (filler: Filler) => Object.fromEntries(inputs.map((input) => [input, filler]));
  return {
    'zeros give what the formula gives': all(zeros),
    'denormals count as themselves or as zero': all(denormals),
    'values of 6e4 do not overflow': all(filled(6e4)),
    'one huge value a row leaves the others right': all(oneOutlierARow),
    'a row of NaN does not reach other rows': all(oneRowOfNaN),
  };
}
