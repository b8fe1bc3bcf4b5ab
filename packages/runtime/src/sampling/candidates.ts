import { largest } from './largest.js';

/** Tokens that may be chosen: parallel lists, in the order in which a draw walks them. */
export interface Candidates {
  readonly ids: Int32Array;
  readonly logits: Float32Array;
  /** Probabilities up to a common factor: exp((logit - largest logit) / temperature). */
  readonly weights: Float64Array;
}

/** The `k` likeliest tokens of a row, likeliest first. A temperature of 0 is for k = 1. */
export function likeliest(row: Float32Array, k: number, temperature: number): Candidates {
  const ids = largest(row, k);
  return candidates(
    ids,
    Float32Array.from(ids, (id) => row[id]!),
    temperature,
  );
}

/**
 * The tokens of a row that a draw of 53 bits can reach, in order of id. All others together have a
 * probability below 2^-53, so leaving them out changes nothing and saves most of the exponentials.
 */
export function reachable(row: Float32Array, temperature: number): Candidates {
  const floor = greatest(row) - temperature * (Math.log(row.length) + 53 * Math.LN2);
  const ids = new Int32Array(row.length);
  const logits = new Float32Array(row.length);
  let count = 0;
  for (let id = 0; id < row.length; id++) {
    const logit = row[id]!;
    // A floor of NaN (an infinite logit at an extreme temperature) keeps all: their weights are right anyway.
    if (!(logit > Number.NEGATIVE_INFINITY) || logit < floor) continue;
    ids[count] = id;
    logits[count++] = logit;
  }
  return candidates(ids.subarray(0, count), logits.subarray(0, count), temperature);
}

/** Weighs tokens whose logits are above -Infinity. */
export function candidates(ids: Int32Array, logits: Float32Array, temperature: number): Candidates {
  const most = greatest(logits);
  const weights = new Float64Array(logits.length);
  for (let index = 0; index < logits.length; index++) {
    const logit = logits[index]!;
    // The largest is set apart so that neither an infinite logit nor a temperature of 0 gives NaN.
    weights[index] = logit === most ? 1 : Math.exp((logit - most) / temperature);
  }
  return { ids, logits, weights };
}

/** The candidates at these indices, in their order. */
function pick(from: Candidates, indices: Int32Array): Candidates {
  const ids = new Int32Array(indices.length);
  const logits = new Float32Array(indices.length);
  const weights = new Float64Array(indices.length);
  for (let place = 0; place < indices.length; place++) {
    const index = indices[place]!;
    ids[place] = from.ids[index]!;
    logits[place] = from.logits[index]!;
    weights[place] = from.weights[index]!;
  }
  return { ids, logits, weights };
}

/** The first candidates, in the order of `indices`, whose weights sum to at least `mass`; at least one. */
export function pickMass(from: Candidates, indices: Int32Array, mass: number): Candidates {
  let sum = 0;
  let count = 0;
  while (count < indices.length && (count === 0 || sum < mass)) sum += from.weights[indices[count++]!]!;
  return pick(from, indices.subarray(0, count));
}

/** The candidates whose weight is at least `floor`, in their order. */
export function pickAbove(from: Candidates, floor: number): Candidates {
  const indices = new Int32Array(from.ids.length);
  let count = 0;
  for (let index = 0; index < indices.length; index++) {
    if (from.weights[index]! >= floor) indices[count++] = index;
  }
  return count === indices.length ? from : pick(from, indices.subarray(0, count));
}

export function totalWeight({ weights }: Pick<Candidates, 'weights'>): number {
  let sum = 0;
  for (let index = 0; index < weights.length; index++) sum += weights[index]!;
  return sum;
}

/** The largest of the values that are numbers, -Infinity where there is none. */
export function greatest(values: Float32Array | Float64Array): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < values.length; index++) {
    if (values[index]! > most) most = values[index]!;
  }
  return most;
}
