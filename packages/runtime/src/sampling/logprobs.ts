import { greatest, reachable, totalWeight } from './candidates.js';
import { largest } from './largest.js';

/** A token with the natural logarithm of its probability. */
export interface TokenLogprob {
  readonly id: number;
  /** At most 0; -Infinity for what can never be chosen. */
  readonly logprob: number;
}

/**
 * Log-probabilities of the model's own distribution, before penalties, bias, temperature and filters: of
 * `token`, and of the `top` likeliest tokens (likeliest first, smaller id first among equals).
 *
 * @param logits One row, [vocabulary].
 */
export function logprobs(
  logits: Float32Array,
  token: number,
  top: number,
): TokenLogprob & { readonly top: readonly TokenLogprob[] } {
  if (!(token in logits)) throw new TypeError(`The row has ${logits.length} tokens; ${token} is not one.`);
  if (!Number.isSafeInteger(top) || top < 0) throw new TypeError('top is an integer of at least 0.');
  const all = reachable(logits, 1);
  const logTotal = Math.log(totalWeight(all));
  const most = greatest(logits);
  const of = (id: number): TokenLogprob => {
    const logit = logits[id]!;
    if (!(logit > Number.NEGATIVE_INFINITY)) return { id, logprob: Number.NEGATIVE_INFINITY };
    return { id, logprob: (logit === most ? 0 : logit - most) - logTotal };
  };
  return { ...of(token), top: Array.from(largest(logits, top), of) };
}
