/** How the next token is chosen. What is left out comes from the model's file, then from fixed values. */
export interface SamplingOptions {
  /** Divides the logits: below 1 favours likely tokens, above 1 evens them out. 0 takes the likeliest (greedy). */
  readonly temperature?: number;
  /** Keeps this many of the likeliest tokens. 0 keeps all. */
  readonly topK?: number;
  /** Keeps the fewest, likeliest tokens whose probabilities sum to at least this. 1 keeps all. */
  readonly topP?: number;
  /** Keeps tokens at least this fraction as likely as the likeliest one. 0 keeps all. */
  readonly minP?: number;
  /** Keeps the tokens nearest to the expected surprise whose probabilities sum to at least this. 1 keeps all. */
  readonly typicalP?: number;
  /** Makes tokens of the recent past less likely: divides logits above 0, multiplies the others. 1 is off. */
  readonly repeatPenalty?: number;
  /** Subtracted once from the logit of each token of the recent past. 0 is off. */
  readonly presencePenalty?: number;
  /** Subtracted from the logit of a token as often as it stands in the recent past. 0 is off. */
  readonly frequencyPenalty?: number;
  /** Tokens that the penalties look back on, prompt included. 0 turns them off, -1 looks at everything. */
  readonly penaltyLastN?: number;
  /** Added to the logits of these token ids, after the penalties. -Infinity forbids a token. */
  readonly logitBias?: Readonly<Record<number, number>>;
  /** Any safe integer; the same seed chooses the same tokens from the same logits. Drawn at random if left out. */
  readonly seed?: number;
}

/** Sampling values that a model's file recommends. */
export type RecommendedSampling = Pick<
  SamplingOptions,
  'temperature' | 'topK' | 'topP' | 'minP' | 'repeatPenalty' | 'penaltyLastN'
>;

/** Every value checked and settled, as {@link SamplingOptions} describes it. */
export interface ResolvedSampling extends Required<Omit<SamplingOptions, 'logitBias'>> {
  /** What is added to a logit, by token id, without entries of 0. */
  readonly logitBias: ReadonlyMap<number, number>;
}
