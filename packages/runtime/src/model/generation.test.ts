import { describe, expect, it } from 'vitest';
import { type AnswerSource, Generation, type GenerationPiece, type Timings } from './generation.js';

/** A source of three pieces that counts what was made and whether it was told to end. */
function counting() {
  const state = { made: 0, ended: false };
  const source: AnswerSource = {
    async *pieces(): AsyncGenerator<GenerationPiece, void> {
      try {
        for (const text of ['a', 'b', 'c']) {
          state.made++;
          yield { text, reasoning: '' };
        }
      } finally {
        state.ended = true;
      }
    },
    snapshot: () => ({
      text: 'abc'.slice(0, state.made),
      reasoning: '',
      tokens: [],
      promptTokens: [],
      finishReason: state.made === 3 ? 'stop' : 'cancelled',
      timings: {} as Timings,
    }),
  };
  return { state, generation: new Generation(source) };
}

describe('Generation', () => {
  it('gives the whole without being read piece by piece', async () => {
    expect((await counting().generation.result()).text).toBe('abc');
  });

  it('gives the whole twice, and after it was read', async () => {
    const { generation } = counting();
    const texts: string[] = [];
    for await (const { text } of generation) texts.push(text);
    expect(texts).toEqual(['a', 'b', 'c']);
    expect(await generation.result()).toEqual(await generation.result());
  });

  it('makes nothing before it is read, and ends when the reader leaves', async () => {
    const { generation, state } = counting();
    expect(state.made).toBe(0);
    for await (const _ of generation) break;
    expect(state).toEqual({ made: 1, ended: true });
    expect((await generation.result()).finishReason).toBe('cancelled');
  });

  it('is read once', async () => {
    const { generation } = counting();
    for await (const _ of generation) break;
    await expect(generation[Symbol.asyncIterator]().next()).rejects.toThrow(TypeError);
  });

  it('passes a failure to the reader and to whoever asks for the result', async () => {
    const failing: AnswerSource = {
      // biome-ignore lint/correctness/useYield: it fails before its first piece
      async *pieces(): AsyncGenerator<GenerationPiece, void> {
        throw new Error('lost');
      },
      snapshot: () => {
        throw new Error('not reached');
      },
    };
    const generation = new Generation(failing);
    await expect(generation[Symbol.asyncIterator]().next()).rejects.toThrow('lost');
    await expect(generation.result()).rejects.toThrow('lost');
  });
});
