import { type Tolerance, type WeightFormatName, weightFormats } from '@pocketllm/abi';

/**
 * What the error of one element may grow from, computed in double precision from the inputs of the call. All
 * absolute, in units of the element.
 */
export interface Terms {
  /** For each sum that the element rests on: its length, and the sum of the absolute values of its terms. */
  readonly sums?: readonly (readonly [length: number, absolute: number])[];
  /** The absolute values of the terms that hold the result of an elementary function. */
  readonly functions?: number;
  /** How far the permitted rounding of the activation may move the element. */
  readonly rounded?: number;
}

/** Half the distance of two singles around 1: one rounding. */
const roundOff = 2 ** -24;
/** Below this nothing is asked: singles near zero may be flushed to it. */
const floor = 2 ** -100;

/**
 * How far an element may lie from the reference's. The whole rule, for every op and backend:
 *
 *     2^-23 |expected|  +  2^-100
 *     + (length + 4) * 2^-24 * absolute      for each sum: any order of additions in single precision
 *     + functions * absolute                 for elementary functions, as the op's tolerance declares
 *     + rounded                              for the activation that `tolerance.rounds` names
 */
export function boundOf(tolerance: Tolerance, expected: number, terms: Terms): number {
  let bound = 2 * roundOff * Math.abs(expected) + floor;
  for (const [length, absolute] of terms.sums ?? []) bound += (length + 4) * roundOff * absolute;
  bound += (tolerance.functions ?? 0) * (terms.functions ?? 0);
  return bound + (tolerance.rounds === undefined ? 0 : (terms.rounded ?? 0));
}

/** Values of an activation that share a scale where it is rounded to 8 bits. */
const blockLength = 32;

/**
 * How far a kernel may round each value of a row of an activation, by the format of the weight it meets:
 *
 * - weights in blocks: to 8 bits in blocks of 32, half a step of largest / 127; 0 and the largest are on the
 *   grid; and the scale may be a half, so 2^-11 of the value on top
 * - f16 and bf16: to bf16, so 2^-8 of the value; nothing where the value is a bf16 already
 * - f32: not at all
 */
export function permittedRounding(
  format: WeightFormatName,
  x: Float32Array,
  from: number,
  length: number,
): Float64Array {
  const rounding = new Float64Array(length);
  if (format === 'f16' || format === 'bf16') {
    for (let i = 0; i < length; i++) {
      rounding[i] = isBf16(x[from + i]!) ? 0 : 2 ** -8 * Math.abs(x[from + i]!);
    }
  } else if (weightFormats[format].block.weights > 1) {
    for (let start = 0; start < length; start += blockLength) {
      const end = Math.min(start + blockLength, length);
      let largest = 0;
      for (let i = start; i < end; i++) largest = Math.max(largest, Math.abs(x[from + i]!));
      for (let i = start; i < end; i++) {
        const value = Math.abs(x[from + i]!);
        rounding[i] = value === 0 ? 0 : (value === largest ? 0 : largest / 254) + 2 ** -11 * value;
      }
    }
  }
  return rounding;
}

/**
 * How far roundings of the terms w[i] * x[i] can move their sum. They lean to no side, so beyond a few terms
 * six times their root of squares holds all but one in 10^7 sums; a plain sum holds all.
 */
export function roundedSum(weights: Float32Array, from: number, rounding: Float64Array): number {
  let plain = 0;
  let squares = 0;
  for (let i = 0; i < rounding.length; i++) {
    const term = Math.abs(weights[from + i]! * rounding[i]!);
    plain += term;
    squares += term * term;
  }
  return Math.min(plain, 6 * Math.sqrt(squares));
}

const word = new Uint32Array(1);
const single = new Float32Array(word.buffer);

function isBf16(value: number): boolean {
  single[0] = value;
  return (word[0]! & 0xffff) === 0;
}
