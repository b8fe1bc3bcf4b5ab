import type { PositionLogprobs, Tokenizer } from '@pocketllm/runtime';

type Words = Pick<Tokenizer, 'decode' | 'tokenBytes' | 'vocabularySize'>;
type Scored = Pick<PositionLogprobs, 'id' | 'logprob'>;

/** JSON has no word for what can never be chosen. */
const finite = (logprob: number) => Math.max(logprob, -9999);

/** Rows of the model beyond the vocabulary are no tokens. */
const named = (words: Words, scored: readonly Scored[]) =>
  scored.filter(({ id }) => id < words.vocabularySize);

const wordOf = (words: Words, { id, logprob }: Scored) => ({
  token: words.decode([id], { special: true }),
  logprob: finite(logprob),
  bytes: Array.from(words.tokenBytes(id)),
});

/** As chat completions have it: one entry a token. */
export const chatLogprobs = (words: Words, positions: readonly PositionLogprobs[]) => ({
  content: positions.map((position) => ({
    ...wordOf(words, position),
    top_logprobs: named(words, position.top).map((scored) => wordOf(words, scored)),
  })),
  refusal: null,
});

/** As plain completions have it: parallel lists. `offset`: length of the text before, in UTF-16 units. */
export function completionLogprobs(words: Words, positions: readonly PositionLogprobs[], offset: number) {
  const tokens = positions.map((position) => words.decode([position.id], { special: true }));
  let at = offset;
  return {
    tokens,
    token_logprobs: positions.map(({ logprob }) => finite(logprob)),
    top_logprobs: positions.map(({ top }) =>
      Object.fromEntries(
        named(words, top).map(({ id, logprob }) => [words.decode([id], { special: true }), finite(logprob)]),
      ),
    ),
    text_offset: tokens.map((token) => {
      at += token.length;
      return at - token.length;
    }),
  };
}
