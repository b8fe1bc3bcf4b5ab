import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScriptedParts, scriptedBackend } from '../../../../tests/support/scripted-backend.js';
import type { ToolDefinition } from '../chat/index.js';
import { openModel } from '../node/index.js';
import type { GenerationPiece } from './generation.js';
import type { Model } from './model.js';

const tale = fileURLToPath(new URL('../../../../models/tale-q8_0.gguf', import.meta.url));
const tools: ToolDefinition[] = [{ type: 'function', function: { name: 'f' } }];
const output = '<think>\nhm\n</think>\n\nI call.\n<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>';
const messages = [{ role: 'user', content: 'Hi' }] as const;
const endToken = 4089;

let model: Model;
let tokens: readonly number[];
/** Milliseconds that a step takes. */
let stepMs = 0;

beforeAll(async () => {
  // Filled once there is a tokenizer to make it with.
  const scripted: number[] = [endToken];
  const run: ScriptedParts['run'] = async (usual) => {
    if (stepMs > 0) await new Promise((resolve) => setTimeout(resolve, stepMs));
    return usual();
  };
  model = await openModel(tale, { backend: scriptedBackend(scripted, { run }), maxModelLen: 512 });
  tokens = model.tokenizer.encode(output, { parseSpecial: true });
  scripted.splice(0, 1, ...tokens, endToken);
});
afterAll(() => model?.close());

const endless = { temperature: 0, ignoreEos: true } as const;

/** The scripted backend repeats its last token, so only the first answer of a model follows the script. */
async function read(options: Parameters<Model['chat']>[1]) {
  const generation = model.chat(messages, { temperature: 0, ...options });
  const pieces: GenerationPiece[] = [];
  for await (const piece of generation) pieces.push(piece);
  return { pieces, result: await generation.result() };
}

describe('an answer', () => {
  it('comes with its calls and the log-probabilities of its tokens, in pieces and as a whole', async () => {
    const { pieces, result } = await read({ tools, readCalls: true, logprobs: 2 });
    expect(result).toMatchObject({
      reasoning: 'hm',
      text: 'I call.',
      calls: [{ name: 'f', arguments: '{}' }],
      tokens: [...tokens, endToken],
    });
    expect(pieces.map(({ text }) => text).join('')).toBe(result.text);
    expect(pieces.flatMap(({ calls }) => calls)).toEqual(result.calls);
    expect(pieces.flatMap((piece) => piece.logprobs)).toEqual(result.logprobs);
    expect(result.logprobs!.map(({ id }) => id)).toEqual(tokens);
    // Logits of the script: 1 at the token, 0 at the 4095 others.
    expect(result.logprobs![0]!.logprob).toBeCloseTo(1 - Math.log(Math.E + 4095), 5);
    expect(result.logprobs![0]!.top[0]).toEqual({ id: tokens[0], logprob: result.logprobs![0]!.logprob });
    expect(result.logprobs![0]!.top).toHaveLength(2);
  });

  it('has neither where nobody asks for them', async () => {
    const { result } = await read({ maxTokens: 1 });
    expect(result).not.toHaveProperty('calls');
    expect(result).not.toHaveProperty('logprobs');
  });

  it('takes up to 20 likeliest tokens', () => {
    for (const logprobs of [-1, 21, 0.5]) {
      expect(() => model.chat(messages, { logprobs })).toThrow(
        expect.objectContaining({
          code: 'REQUEST_INVALID',
          details: expect.objectContaining({ field: 'logprobs' }),
        }),
      );
    }
  });

  it('takes pages as it grows, and goes no further ahead of its reader than a few pieces', async () => {
    const options = { maxModelLen: 512, drafts: 'never' } as const;
    await using model = await openModel(tale, { backend: scriptedBackend([7]), ...options });
    const reading = model.complete('a', { ...endless, maxTokens: 400 })[Symbol.asyncIterator]();
    await reading.next();
    await expect.poll(() => model.cacheUse).toMatchObject({ pages: 16, freePages: 15 });
    for (let i = 0; i < 40; i++) await reading.next();
    await expect.poll(() => model.cacheUse.freePages).toBe(14);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(model.cacheUse.freePages).toBe(14);
    await reading.return();
    expect(model.cacheUse.freePages).toBe(16);
    expect(model.activity).toMatchObject({ running: 0, waiting: 0 });
  });

  it('comes to its end beside others, however they are read', async () => {
    await using model = await openModel(tale, { backend: scriptedBackend([7]), maxModelLen: 512 });
    const options = { ...endless, maxTokens: 500 };
    // Three of them, of which the cache holds one: read in turn, piece by piece.
    const readers = [1, 2, 3].map((id) => model.complete([id], options));
    const iterators = readers.map((reader) => reader[Symbol.asyncIterator]());
    for (let isOver = false; !isOver; ) {
      isOver = true;
      for (const iterator of iterators) isOver = ((await iterator.next()).done ?? false) && isOver;
    }
    for (const reader of readers) expect((await reader.result()).tokens).toHaveLength(500);
    // One that is never read on keeps nobody waiting.
    const left = model.complete([4], options)[Symbol.asyncIterator]();
    await left.next();
    expect((await model.complete([5], options).result()).tokens).toHaveLength(500);
    await left.return();
    expect(model.cacheUse.freePages).toBe(16);
  });

  it('ends when its time is over, with what there was until then', async () => {
    stepMs = 1;
    try {
      // 500 steps of a millisecond are far from done by then.
      const { finishReason } = await model.complete('a', { ...endless, timeoutMs: 30 }).result();
      expect(finishReason).toBe('timeout');
    } finally {
      stepMs = 0;
    }
    expect((await model.complete('a', { timeoutMs: 0 }).result()).finishReason).toBe('timeout');
    expect(() => model.complete('a', { timeoutMs: -1 })).toThrow(/timeoutMs/);
  });
});

describe('a context that is full', () => {
  it('is an error with both numbers, for the prompt', () => {
    expect(() => model.complete(Array(512).fill(9))).toThrow(
      expect.objectContaining({ code: 'CONTEXT_OVERFLOW', details: { promptTokens: 512, maxModelLen: 512 } }),
    );
    expect(() => model.complete([1], { onOverflow: 'shift' as 'slide' })).toThrow(/onOverflow/);
  });

  it('ends the answer, or slides where that is asked for', async () => {
    const prompt = Array.from({ length: 500 }, (_, place) => place);
    expect(await model.complete(prompt, endless).result()).toMatchObject({
      finishReason: 'length',
      timings: { generatedTokens: 12 },
    });
    const slid = await model.complete(prompt, { ...endless, onOverflow: 'slide', maxTokens: 700 }).result();
    expect(slid.finishReason).toBe('length');
    expect(slid.tokens).toHaveLength(700);
    const long = Array.from({ length: 3000 }, (_, place) => place);
    const { tokens, promptTokens } = await model.complete(long, { ...endless, onOverflow: 'slide' }).result();
    expect([tokens.length, promptTokens.length]).toEqual([512, 3000]);
    expect(model.cacheUse.freePages).toBe(16);
  });

  it('slides to the first page and the last half of the context', async () => {
    const fed: number[] = [];
    const run: ScriptedParts['run'] = (usual, _, step) => {
      fed.push(...step.inputs.tokens!);
      return usual();
    };
    await using small = await openModel(tale, {
      backend: scriptedBackend([7], { run }),
      maxModelLen: 128,
      drafts: 'never',
    });
    const prompt = Array.from({ length: 120 }, (_, place) => 100 + place);
    await small.complete(prompt, { ...endless, onOverflow: 'slide', maxTokens: 20 }).result();
    const whole = [...prompt, ...Array(9).fill(7)];
    // The first page is in the cache already.
    expect(fed).toEqual([...whole.slice(0, 128), ...whole.slice(-32), ...Array(10).fill(7)]);
  });
});

describe('a budget for thinking', () => {
  it.each([
    [0, '', 'hm hm'],
    [1, '', 'hm hm'],
    [4, 'hm h', ' hm'],
    [20, 'hm hm hm', 'Yes.'],
  ])('of %d tokens ends the reasoning there', async (thinkingBudget, reasoning, text) => {
    const script: number[] = [endToken];
    await using thinker = await openModel(tale, { backend: scriptedBackend(script), maxModelLen: 512 });
    const { tokenizer } = thinker;
    script.splice(
      0,
      1,
      ...tokenizer.encode('<think>\nhm hm hm\n</think>\n\nYes.', { parseSpecial: true }),
      endToken,
    );
    const closing = tokenizer.idOf('</think>')!;
    const result = await thinker.chat(messages, { temperature: 0, thinkingBudget }).result();
    // The script goes on with what it had to say, one token behind.
    expect(result.tokens.indexOf(closing)).toBe(Math.min(1 + thinkingBudget, script.indexOf(closing)));
    expect(result.reasoning).toBe(reasoning);
    expect(result.text).toContain(text);
  });
});
