import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scriptedBackend } from '../../../../tests/support/scripted-backend.js';
import type { Model } from '../model/index.js';
import { openModel } from '../node/index.js';

const tale = fileURLToPath(new URL('../../../../models/tale-q8_0.gguf', import.meta.url));
const responseFormat = { type: 'regex', pattern: 'one two three' } as const;
let model: Model;

beforeAll(async () => {
  // It would say token 7 for ever.
  model = await openModel(tale, { backend: scriptedBackend([7]), maxModelLen: 256 });
});
afterAll(() => model?.close());

describe('a held answer', () => {
  it('says what it has to, and ends where that ends', async () => {
    const result = await model.complete('a', { responseFormat, temperature: 1 }).result();
    expect(result).toMatchObject({ text: 'one two three', finishReason: 'stop' });
    expect(model.tokenizer.isEndOfGeneration(result.tokens.at(-1)!)).toBe(true);
  });

  it('has end tokens alone behind its end, where the end is ignored', async () => {
    const options = { responseFormat, temperature: 1, ignoreEos: true, maxTokens: 30 };
    const { text, tokens, finishReason } = await model.complete('a', options).result();
    expect({ text, finishReason }).toEqual({ text: 'one two three', finishReason: 'length' });
    const end = tokens.findIndex((id) => model.tokenizer.isEndOfGeneration(id));
    expect(tokens.slice(end).every((id) => model.tokenizer.isEndOfGeneration(id))).toBe(true);
  });

  it('is cut at a stop string, and by maxTokens', async () => {
    const stopped = await model.complete('a', { responseFormat, stop: [' two'] }).result();
    expect(stopped).toMatchObject({ text: 'one', finishReason: 'stop' });
    const cut = await model.complete('a', { responseFormat, maxTokens: 1 }).result();
    expect(cut.finishReason).toBe('length');
    expect('one two three'.startsWith(cut.text)).toBe(true);
  });

  it('reports the log-probabilities of the model itself', async () => {
    const { logprobs, tokens } = await model.complete('a', { responseFormat, logprobs: 1 }).result();
    // The end token is not shown, and has none.
    expect(logprobs).toHaveLength(tokens.length - 1);
    for (const { id, top } of logprobs!) {
      expect(top.map((likeliest) => likeliest.id)).toEqual([7]);
      expect(tokens).toContain(id);
    }
  });

  it('keeps its form whatever a bias asks for', async () => {
    const logitBias = Object.fromEntries([7, 8, 9].map((id) => [id, 100]));
    const { text } = await model.complete('a', { responseFormat, logitBias }).result();
    expect(text).toBe('one two three');
  });

  it('is no answer where a bias forbids all that it can be', async () => {
    const logitBias = Object.fromEntries(
      Array.from({ length: model.tokenizer.vocabularySize }, (_, id) => [id, Number.NEGATIVE_INFINITY]),
    );
    await expect(model.complete('a', { responseFormat, logitBias }).result()).rejects.toMatchObject({
      code: 'REQUEST_INVALID',
    });
  });

  it('is refused before it begins', () => {
    const wrong = { type: 'json_schema', schema: { not: {} } } as const;
    expect(() => model.complete('a', { responseFormat: wrong })).toThrow('responseFormat.schema.not');
    expect(() => model.chat([{ role: 'user', content: 'a' }], { responseFormat: wrong })).toThrow(
      'responseFormat.schema.not',
    );
  });
});
