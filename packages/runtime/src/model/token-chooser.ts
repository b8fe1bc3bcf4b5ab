import type { NextToken } from '../engine/next-token.js';
import { type ResolvedSampling, Sampler, type TokenConstraint } from '../sampling/index.js';

/**
 * Chooses tokens for one answer, and never one that the vocabulary forbids (padding rows, suppressed ids).
 * Greedy answers take the device's own choice; logits are read where that does not do.
 */
export class TokenChooser {
  /** Whether every step has to bring logits. */
  readonly readsLogits: boolean;
  readonly #sampler: Sampler;
  readonly #forbidden: ReadonlySet<number>;

  /** `needsLogits`: whether someone else looks at the logits of every step. */
  constructor(settings: ResolvedSampling, forbidden: ReadonlySet<number>, needsLogits = false) {
    this.readsLogits = needsLogits || new Sampler(settings).readsLogits;
    this.#forbidden = forbidden;
    const bans = [...forbidden].map((id) => [id, Number.NEGATIVE_INFINITY] as const);
    this.#sampler = new Sampler({ ...settings, logitBias: new Map([...settings.logitBias, ...bans]) });
  }

  /** The next token; undefined where it takes logits that are not there. A constraint needs those of every step. */
  choose(
    { best, bestLogit, logits }: NextToken,
    history: readonly number[],
    constraint?: TokenConstraint,
  ): number | undefined {
    if (!this.readsLogits) {
      // The device's best of a row without a number says nothing; the sampler makes an error of it.
      if (bestLogit > Number.NEGATIVE_INFINITY && !this.#forbidden.has(best)) return best;
      if (!logits) return undefined;
    }
    const token = this.#sampler.sample(logits!, history, constraint);
    constraint?.accept(token);
    return token;
  }
}
