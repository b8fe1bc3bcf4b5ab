import type { GenerationPiece, GenerationResult, PositionLogprobs } from '@pocketllm/runtime';
import { describe, expect, it } from 'vitest';
import type { AnswerEvent } from '../engine/service.js';
import { chatChunks } from './chat-chunks.js';
import { finishReason } from './finish-reason.js';
import { chatLogprobs, completionLogprobs } from './logprob-shapes.js';
import { ResponseItems } from './response-items.js';
import { usageOf } from './usage.js';

const result = (fields: Partial<GenerationResult>) =>
  ({
    text: '',
    reasoning: '',
    finishReason: 'stop',
    timings: { promptTokens: 7, cachedTokens: 3, generatedTokens: 5 },
    ...fields,
  }) as GenerationResult;
const call = { name: 'f', arguments: '{"a": 1}' };

describe('why an answer ended', () => {
  it('is in the words of the API', () => {
    expect(finishReason(result({}))).toBe('stop');
    expect(finishReason(result({ calls: [] }))).toBe('stop');
    expect(finishReason(result({ calls: [call] }))).toBe('tool_calls');
    expect(finishReason(result({ calls: [call], finishReason: 'length' }))).toBe('length');
    expect(() => finishReason(result({ finishReason: 'cancelled' }))).toThrow(
      expect.objectContaining({ status: 503 }),
    );
  });
});

it('usage counts each prompt once', () => {
  const results = Array.from({ length: 4 }, () => result({}));
  expect(usageOf(results, 4)).toEqual({
    prompt_tokens: 7,
    prompt_tokens_details: { cached_tokens: 3 },
    completion_tokens: 20,
    total_tokens: 27,
  });
  expect(usageOf(results, 2).prompt_tokens).toBe(14);
});

describe('log-probabilities', () => {
  const words = {
    vocabularySize: 3,
    decode: (ids: Iterable<number>) => [...ids].map((id) => ['a', 'bc', '\ufffd'][id]).join(''),
    tokenBytes: (id: number) => [Uint8Array.of(97), Uint8Array.of(98, 99), Uint8Array.of(0xf0)][id]!,
  };
  const positions: PositionLogprobs[] = [
    {
      id: 1,
      logprob: -0.5,
      top: [
        { id: 1, logprob: -0.5 },
        { id: 3, logprob: -2 },
      ],
    },
    { id: 2, logprob: Number.NEGATIVE_INFINITY, top: [] },
  ];

  it('of a chat are words, bytes and finite numbers, without rows that are no tokens', () => {
    const { content } = chatLogprobs(words, positions);
    const word = { token: 'bc', logprob: -0.5, bytes: [98, 99] };
    expect(content[0]).toEqual({ ...word, top_logprobs: [word] });
    expect(content[1]).toEqual({ token: '\ufffd', logprob: -9999, bytes: [0xf0], top_logprobs: [] });
  });

  it('of a completion are parallel lists, with the place of each token', () => {
    expect(completionLogprobs(words, positions, 4)).toEqual({
      tokens: ['bc', '\ufffd'],
      token_logprobs: [-0.5, -9999],
      top_logprobs: [{ bc: -0.5 }, {}],
      text_offset: [4, 6],
    });
  });

  it('of a piece go with its first part, and with an empty one where there is no text', async () => {
    async function* events(): AsyncGenerator<AnswerEvent> {
      yield { index: 0, piece: { text: 'x', reasoning: 'r', logprobs: positions } };
      yield { index: 0, piece: { text: '', reasoning: '', logprobs: positions } };
    }
    const head = { id: 'a', created: 1, model: 'm' };
    const parts: { delta: object; logprobs: object | null }[] = [];
    for await (const chunk of chatChunks(
      head,
      events(),
      { tokenizer: words as never },
      { count: 1, includeUsage: false },
    )) {
      parts.push(...(chunk as { choices: typeof parts }).choices);
    }
    expect(parts.map(({ delta, logprobs }) => [delta, logprobs !== null])).toEqual([
      [{ role: 'assistant', content: '' }, false],
      [{ reasoning_content: 'r' }, true],
      [{ content: 'x' }, false],
      [{ content: '' }, true],
    ]);
  });
});

describe('the items of a response', () => {
  const make = (...pieces: Partial<GenerationPiece>[]) => {
    const items = new ResponseItems();
    const events = pieces.flatMap((piece) => [...items.push({ text: '', reasoning: '', ...piece })]);
    return { items: items.items, events: [...events, ...items.close('completed')] };
  };

  it('are what was thought, said and called, in that order', () => {
    const { items } = make(
      { reasoning: 'h' },
      { reasoning: 'm' },
      { text: 'So' },
      { calls: [call, call] },
      { text: '\nDone' },
    );
    expect(
      items.map(({ type, content }) => [type, (content as { text: string }[] | undefined)?.at(0)?.text]),
    ).toEqual([
      ['reasoning', 'hm'],
      ['message', 'So'],
      ['function_call', undefined],
      ['function_call', undefined],
      ['message', 'Done'],
    ]);
    expect(new Set(items.map(({ id }) => id)).size).toBe(5);
  });

  it('are each announced and ended, at their place', () => {
    const { items, events } = make({ text: 'a' }, { calls: [call] });
    const places = events
      .filter(({ type }) => /output_item/.test(type))
      .map(({ type, output_index }) => [type, output_index]);
    expect(places).toEqual([
      ['response.output_item.added', 0],
      ['response.output_item.done', 0],
      ['response.output_item.added', 1],
      ['response.output_item.done', 1],
    ]);
    for (const { item_id, output_index } of events) {
      if (item_id !== undefined) expect(item_id).toBe(items[output_index as number]!.id);
    }
  });
});
