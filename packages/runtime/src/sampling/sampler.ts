import { PocketError } from '@pocketllm/abi';
import { requestInvalid } from '../request-invalid.js';
import { type Candidates, candidates, greatest, likeliest, reachable, totalWeight } from './candidates.js';
import { addLogitBias } from './logit-bias.js';
import { minP } from './min-p.js';
import type { ResolvedSampling } from './options.js';
import { penalize, penalizes } from './penalties.js';
import { Random } from './random.js';
import type { TokenConstraint } from './token-constraint.js';
import { topP } from './top-p.js';
import { typical } from './typical.js';

/**
 * Chooses the tokens of one generation. In this order:
 *
 *     penalties, logit bias, constraint, temperature, top-k, typical, top-p, min-p, one draw
 *
 * Each filter works on what the one before it left, and always leaves a token. NaN and -Infinity are never
 * chosen. The random numbers depend on the seed and on how many tokens were chosen before, nothing else.
 */
export class Sampler {
  /**
   * The k of an op `top_k` whose result is all that {@link sampleTopK} needs (1 is argmax), so that the row
   * can stay on the device. May be beyond the vocabulary. Undefined where only {@link sample} will do.
   */
  readonly deviceTopK: number | undefined;
  /** Whether the choice needs more than the device's argmax. */
  readonly readsLogits: boolean;
  readonly #settings: ResolvedSampling;
  /** Tokens that top-k keeps, 0 for all. */
  readonly #k: number;
  readonly #adjusts: boolean;
  readonly #random: Random;

  constructor(settings: ResolvedSampling) {
    this.#settings = settings;
    this.#k = settings.temperature === 0 ? 1 : settings.topK;
    this.#adjusts = penalizes(settings) || settings.logitBias.size > 0;
    this.#random = new Random(settings.seed);
    this.deviceTopK = this.#adjusts || this.#k === 0 ? undefined : this.#k;
    this.readsLogits = this.deviceTopK !== 1;
  }

  /**
   * @param logits One row, [vocabulary]; left as it is.
   * @param history Tokens so far, prompt first: what the penalties look at.
   * @param constraint Masks what cannot come next; the caller lets it accept the token.
   * @returns The id of the chosen token.
   * @throws PocketError LOGITS_INVALID where the row is all NaN and -Infinity; REQUEST_INVALID where bias,
   *   penalties and constraint forbid all of it.
   */
  sample(
    logits: Float32Array,
    history: readonly number[],
    constraint?: Pick<TokenConstraint, 'mask'>,
  ): number {
    const { temperature } = this.#settings;
    const row = this.#adjusts || constraint ? this.#adjusted(logits, history) : logits;
    constraint?.mask(row);
    const found = this.#k > 0 ? likeliest(row, this.#k, temperature) : reachable(row, temperature);
    if (found.ids.length === 0 && greatest(logits) > Number.NEGATIVE_INFINITY) {
      const expected = `a token that bias${constraint ? ', constraint' : ''} and penalties leave possible`;
      throw requestInvalid('logitBias', expected, 'none');
    }
    return this.#choose(found);
  }

  /**
   * Chooses as {@link sample} would, from one row of the results of an op `top_k` with k = `deviceTopK`.
   *
   * @param values [k], largest first.
   * @param ids [k], their token ids.
   * @throws PocketError LOGITS_INVALID where all values are NaN and -Infinity.
   */
  sampleTopK(values: Float32Array, ids: Int32Array): number {
    // Values that are never chosen stand last.
    const usable = values.findLastIndex((value) => value > Number.NEGATIVE_INFINITY) + 1;
    const { temperature } = this.#settings;
    const found = candidates(ids.subarray(0, usable), values.subarray(0, usable), temperature);
    return this.#choose(found);
  }

  #adjusted(logits: Float32Array, history: readonly number[]): Float32Array {
    const row = logits.slice();
    penalize(row, history, this.#settings);
    addLogitBias(row, this.#settings.logitBias);
    return row;
  }

  #choose(found: Candidates): number {
    if (found.ids.length === 0) {
      throw new PocketError('LOGITS_INVALID', { expected: 'a number', found: 'NaN and -Infinity alone' });
    }
    const settings = this.#settings;
    const kept = minP(topP(typical(found, settings.typicalP), settings.topP), settings.minP);
    return draw(kept, this.#random.next());
  }
}

/** The candidate at which the running sum of weights passes `fraction` (0 to below 1) of them all. */
function draw({ ids, weights }: Candidates, fraction: number): number {
  const target = fraction * totalWeight({ weights });
  let sum = 0;
  let chosen = 0;
  // Rounding can put the target at the very end: then the last one that has a weight is meant.
  for (let index = 0; index < ids.length && sum <= target; index++) {
    if (weights[index] === 0) continue;
    chosen = index;
    sum += weights[index]!;
  }
  return ids[chosen]!;
}
