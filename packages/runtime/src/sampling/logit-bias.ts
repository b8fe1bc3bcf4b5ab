import { requestInvalid } from '../request-invalid.js';
import { foundText } from './fields.js';

/**
 * The entries of a request's `logitBias` that have an effect, by token id.
 *
 * @throws PocketError REQUEST_INVALID for a key that is no token id and for a value that cannot be added.
 */
export function checkLogitBias(
  bias: Readonly<Record<number, number>> | undefined,
  vocabularySize = Number.POSITIVE_INFINITY,
): ReadonlyMap<number, number> {
  const byId = new Map<number, number>();
  if (bias === undefined) return byId;
  if (typeof bias !== 'object' || bias === null || Array.isArray(bias)) {
    throw requestInvalid('logitBias', 'an object with a number for each token id', foundText(bias));
  }
  for (const [key, value] of Object.entries(bias)) {
    const id = Number(key);
    if (!/^\d{1,15}$/.test(key)) {
      throw requestInvalid('logitBias', 'token ids as keys', JSON.stringify(key.slice(0, 40)));
    }
    if (id >= vocabularySize) throw beyond(id, vocabularySize);
    if (typeof value !== 'number' || !(value < Number.POSITIVE_INFINITY)) {
      throw requestInvalid(`logitBias[${id}]`, 'a finite number or -Infinity', foundText(value));
    }
    if (value !== 0) byId.set(id, value);
  }
  return byId;
}

/**
 * Adds to the logits in place.
 *
 * @throws PocketError REQUEST_INVALID for an id beyond the row.
 */
export function addLogitBias(logits: Float32Array, bias: ReadonlyMap<number, number>): void {
  for (const [id, value] of bias) {
    if (id >= logits.length) throw beyond(id, logits.length);
    logits[id]! += value;
  }
}

function beyond(id: number, vocabularySize: number) {
  return requestInvalid('logitBias', `token ids below ${vocabularySize}`, String(id));
}
