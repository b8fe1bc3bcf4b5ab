/**
 * What one answer is held to, such as a grammar. It follows the answer's tokens one by one, so it belongs to that
 * answer alone.
 */
export interface TokenConstraint {
  /**
   * Sets the logits of tokens that cannot come next to -Infinity: [vocabulary], in place. Where the text may end,
   * the tokens that end it stay possible; one token always does.
   */
  mask(logits: Float32Array): void;
  /** Goes on past a token that was chosen; the mask had left it possible. */
  accept(token: number): void;
  /** Gives its memory back; twice is fine. */
  dispose(): void;
}
