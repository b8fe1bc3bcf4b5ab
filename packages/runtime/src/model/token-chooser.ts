import type { NextToken, Reading } from '../engine/next-token.js';
import { type ResolvedSampling, Sampler, type TokenConstraint } from '../sampling/index.js';

/** What else bears on how tokens are chosen. */
export interface ChooserSetting {
  /** Tokens that the device finds as the likeliest of a row. */
  readonly likeliest: number;
  /** Whether someone else looks at the logits of every step. */
  readonly needsLogits?: boolean;
}

/**
 * Chooses tokens for one answer, and never one that the vocabulary forbids (padding rows, suppressed ids).
 * Answers take the device's own choice, or choose among its likeliest; logits are read where that does not do.
 */
export class TokenChooser {
  /** What every step has to bring. */
  readonly reads: Reading;
  readonly #sampler: Sampler;
  readonly #forbidden: ReadonlySet<number>;
  /** Tokens that a choice is among; undefined where it takes all of them. */
  readonly #k: number | undefined;

  constructor(
    settings: ResolvedSampling,
    forbidden: ReadonlySet<number>,
    { likeliest, needsLogits = false }: ChooserSetting,
  ) {
    this.#forbidden = forbidden;
    this.#k = needsLogits ? undefined : new Sampler(settings).deviceTopK;
    if (this.#k === undefined || this.#k > likeliest) this.reads = 'logits';
    else this.reads = this.#k === 1 ? 'best' : 'likeliest';
    const bans = [...forbidden].map((id) => [id, Number.NEGATIVE_INFINITY] as const);
    this.#sampler = new Sampler({ ...settings, logitBias: new Map([...settings.logitBias, ...bans]) });
  }

  /** The next token; undefined where it takes logits that are not there. A constraint needs those of every step. */
  choose(next: NextToken, history: readonly number[], constraint?: TokenConstraint): number | undefined {
    const { best, bestLogit, likeliest, logits } = next;
    // The device's best of a row without a number says nothing; the sampler makes an error of it.
    if (this.reads === 'best' && bestLogit > Number.NEGATIVE_INFINITY && !this.#forbidden.has(best))
      return best;
    if (likeliest) return this.#chooseAmong(likeliest);
    if (!logits) return undefined;
    const token = this.#sampler.sample(logits, history, constraint);
    constraint?.accept(token);
    return token;
  }

  /** Undefined where not enough of the tokens may be chosen: there may be others. */
  #chooseAmong({ ids, logits }: NonNullable<NextToken['likeliest']>): number | undefined {
    const k = this.#k!;
    const kept = { ids: new Int32Array(k), logits: new Float32Array(k) };
    let count = 0;
    for (let i = 0; i < ids.length && count < k; i++) {
      if (this.#forbidden.has(ids[i]!) || !(logits[i]! > Number.NEGATIVE_INFINITY)) continue;
      kept.ids[count] = ids[i]!;
      kept.logits[count++] = logits[i]!;
    }
    return count < k ? undefined : this.#sampler.sampleTopK(kept.logits, kept.ids);
  }
}
