import type { ResolvedSampling } from './options.js';

export type Penalties = Pick<
  ResolvedSampling,
  'repeatPenalty' | 'presencePenalty' | 'frequencyPenalty' | 'penaltyLastN'
>;

/** Whether these penalties can change a logit. */
export function penalizes(penalties: Penalties): boolean {
  const { repeatPenalty, presencePenalty, frequencyPenalty, penaltyLastN } = penalties;
  return penaltyLastN !== 0 && (repeatPenalty !== 1 || presencePenalty !== 0 || frequencyPenalty !== 0);
}

/**
 * Changes, in place, the logit of each token among the last `penaltyLastN` of `history`, n times there:
 *
 *     logit = (logit > 0 ? logit / repeat : logit * repeat) - n * frequency - presence
 *
 * Ids of `history` that the row does not have (image rows) are passed over.
 */
export function penalize(logits: Float32Array, history: readonly number[], penalties: Penalties): void {
  if (!penalizes(penalties)) return;
  const { repeatPenalty, presencePenalty, frequencyPenalty, penaltyLastN } = penalties;
  const start = penaltyLastN === -1 ? 0 : Math.max(0, history.length - penaltyLastN);
  const counts = new Map<number, number>();
  for (let index = start; index < history.length; index++) {
    const id = history[index]!;
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  for (const [id, count] of counts) {
    const logit = logits[id];
    if (logit === undefined) continue;
    // Dividing a negative logit would make its token more likely.
    const repeated = logit > 0 ? logit / repeatPenalty : logit * repeatPenalty;
    logits[id] = repeated - count * frequencyPenalty - presencePenalty;
  }
}
