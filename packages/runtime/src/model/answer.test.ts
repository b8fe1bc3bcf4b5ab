import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scriptedBackend } from '../../../../tests/support/scripted-backend.js';
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

beforeAll(async () => {
  // Filled once there is a tokenizer to make it with.
  const scripted: number[] = [endToken];
  model = await openModel(tale, { backend: scriptedBackend(scripted), maxModelLen: 512 });
  tokens = model.tokenizer.encode(output, { parseSpecial: true });
  scripted.splice(0, 1, ...tokens, endToken);
});
afterAll(() => model?.close());

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

  it('holds its pages of the cache until it ends', async () => {
    expect(model.cacheUse).toEqual({ pagePositions: 32, pages: 16, freePages: 16, waiting: 0 });
    const reading = model
      .complete('a', { temperature: 0, ignoreEos: true, maxTokens: 40 })
      [Symbol.asyncIterator]();
    const next = reading.next();
    const waiting = model.complete('b', { temperature: 0, maxTokens: 511 })[Symbol.asyncIterator]();
    const granted = waiting.next();
    expect(model.cacheUse).toMatchObject({ freePages: 14, waiting: 1 });
    await Promise.race([next, new Promise((resolve) => setTimeout(resolve, 200))]);
    await reading.return();
    await granted;
    await waiting.return();
    expect(model.cacheUse).toMatchObject({ freePages: 16, waiting: 0 });
  });
});
