import { PocketError, type WeightFormatName, weightFormats } from '@pocketllm/abi';
import { encoders } from './encoders.js';

/** What a column counts for at least, as a share of the mean: a block no column of which counts is kept too. */
const leastImportance = 1e-6;

/**
 * Encodes a row of weights so that the sum of importance * (weight - decoded weight)^2 is small.
 *
 * @param x whole blocks of the format
 * @param importance one value at least 0 for each weight; all alike where it is absent
 * @throws PocketError REQUEST_INVALID where the format needs importance and has none, or where a number is
 *   not finite
 */
export function encodeRow(format: WeightFormatName, x: Float32Array, importance?: Float32Array): Uint8Array {
  const { block, importance: need } = weightFormats[format];
  if (x.length % block.weights !== 0) {
    throw new TypeError(
      `${x.length} weights are not whole blocks of ${block.weights}, as ${format} has them`,
    );
  }
  if (importance !== undefined && importance.length !== x.length) {
    throw new TypeError(`${importance.length} values of importance for ${x.length} weights`);
  }
  if (importance === undefined && need === 'required') {
    throw new PocketError('REQUEST_INVALID', {
      field: 'importance',
      expected: `a value for each of ${x.length} columns, which ${format} cannot do without`,
      found: 'none',
    });
  }
  if (block.weights > 1) checkNumbers('x', x, Number.NEGATIVE_INFINITY);
  if (importance !== undefined) checkNumbers('importance', importance, 0);

  const encode = encoders[format];
  const weights = importanceOf(x.length, importance);
  const out = new Uint8Array((x.length / block.weights) * block.bytes);
  for (let i = 0; i * block.weights < x.length; i++)
    encode(x, i * block.weights, weights, out, i * block.bytes);
  return out;
}

function checkNumbers(field: string, values: Float32Array, least: number): void {
  const at = values.findIndex((value) => !Number.isFinite(value) || value < least);
  if (at === -1) return;
  const expected = least === 0 ? 'finite numbers of at least 0' : 'finite numbers';
  throw new PocketError('REQUEST_INVALID', { field, expected, found: `${values[at]} in column ${at}` });
}

function importanceOf(count: number, given: Float32Array | undefined): Float32Array {
  const mean = given === undefined ? 0 : given.reduce((sum, value) => sum + value, 0) / count;
  if (given === undefined || mean === 0) return new Float32Array(count).fill(1);
  return given.map((value) => Math.max(value / mean, leastImportance));
}
