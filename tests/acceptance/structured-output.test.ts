import { fileURLToPath } from 'node:url';
import cpu, { loadAddon } from '@pocketllm/backend-cpu';
import reference from '@pocketllm/reference';
import type { Model } from '@pocketllm/runtime';
import { openModel } from '@pocketllm/runtime/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forms } from '../../bench/structured-output/forms.mjs';
import { holdAnswers } from '../../bench/structured-output/held-answers.mjs';

const tale = fileURLToPath(new URL('../../models/tale-q8_0.gguf', import.meta.url));
const { addon } = loadAddon();
// The reference takes seconds for an answer; bench/structured-output.mjs makes a thousand.
const answers = addon ? 10 * forms.length : forms.length;

let model: Model;

beforeAll(async () => {
  model = await openModel(tale, { backend: addon ? cpu : reference, maxModelLen: 512 });
}, 60_000);
afterAll(() => model?.close());

describe(`at temperature 1.5, all of ${answers} answers have the form that they are held to`, () => {
  it.each([
    ['off', 80],
    ['on', 120],
  ])('with thinking %s', { timeout: 300_000 }, async (thinking, maxTokens) => {
    const options = { temperature: 1.5, maxTokens, together: 4, firstSeed: 5000 };
    const enableThinking = thinking === 'on';
    const { whole, cut, wrong } = await holdAnswers(model, forms, { answers, enableThinking, ...options });
    expect(wrong).toEqual([]);
    expect(whole + cut).toBe(answers);
    expect(whole).toBeGreaterThan(answers * 0.7);
  });
});
