import { fileURLToPath } from 'node:url';
import type { GenerationOptions, LoadOptions, Model } from '@pocketllm/runtime';
import { openModel } from '@pocketllm/runtime/node';
import { expect, it } from 'vitest';
import { openFile } from '../../packages/runtime/src/node/file-source.js';
import { type EngineDevice, openEngine } from './open-engine.js';

const path = fileURLToPath(new URL('../../models/tale-q8_0.gguf', import.meta.url));

const story =
  'Once there was a fox named Pip who lived by a river. Every day Pip went to the river to look for fish. ';
/** Prompts of several lengths; some begin alike, and some repeat themselves, which invites drafts. */
const prompts = [
  'The',
  story,
  story.repeat(3),
  `${story.repeat(3)}One day`,
  `${story.repeat(2)}The capital of Norway is Oslo. The capital of Norway is`,
  'one two three one two three one two three one two',
  `${story.repeat(3)}One day Pip met a bear.`,
  'A bear came to the river.',
];

/** The reference takes its time, on a busy machine above all. */
const timeout = 300_000;

/**
 * That every answer of the in-tree model is what it is alone, on a backend that promises it: the tokens of a plain
 * loop that feeds one text, row after row.
 *
 * @param tokens Tokens of each answer.
 */
export function testAnswersTogether(device: EngineDevice, tokens: number): void {
  const open = (options: LoadOptions) =>
    openModel(path, { backend: device.plugin, device: device.id, maxModelLen: 256, ...options });
  const greedy: GenerationOptions = { temperature: 0, ignoreEos: true, maxTokens: tokens };
  const all = (model: Model, options: readonly GenerationOptions[]) =>
    Promise.all(prompts.map((prompt, place) => model.complete(prompt, options[place]!).result()));

  it(
    'answers together are those alone, in a cache too small for all and with drafts',
    async () => {
      // Room for one and a half of them: answers lose their pages, and read them again.
      await using model = await open({ maxModelLen: 160, cachePages: 6, maxSequences: 6, drafts: 'always' });
      const results = await all(
        model,
        prompts.map(() => greedy),
      );
      expect(model.activity.preemptions).toBeGreaterThan(0);
      expect(model.activity.acceptedTokens).toBeGreaterThan(0);
      expect(model.activity.acceptedTokens).toBeLessThan(model.activity.draftedTokens);
      expect(model.cacheUse.freePages).toBe(6);
      const again = await all(
        model,
        prompts.map(() => greedy),
      );
      expect(model.activity.reusedTokens).toBeGreaterThan(0);
      expect(again.map((result) => result.tokens)).toEqual(results.map((result) => result.tokens));
      await using plain = await openEngine(await openFile(path), 'f16', 256, device);
      for (const { promptTokens, tokens } of results) {
        const best: number[] = [];
        for await (const next of plain.force(promptTokens, tokens.slice(0, -1))) best.push(next.best);
        expect(tokens).toEqual(best);
      }
    },
    timeout,
  );

  it(
    'a prefix that is there answers to the bit as one that is computed',
    async () => {
      const scored = { temperature: 0, ignoreEos: true, maxTokens: 4, logprobs: 3 };
      const continued = `${story.repeat(4)}Then`;
      await using warm = await open({});
      const first = await warm.complete(story.repeat(4), { ...greedy, maxTokens: 20 }).result();
      const reused = await warm.complete(continued, scored).result();
      const { promptTokens, cachedTokens } = reused.timings;
      expect(cachedTokens).toBeGreaterThanOrEqual(promptTokens - 64);
      await using cold = await open({});
      const computed = await cold.complete(continued, scored).result();
      expect(computed.timings.cachedTokens).toBe(0);
      expect(reused.logprobs).toEqual(computed.logprobs);
      // Neither does an answer that stands in the cache change what follows it as a prompt.
      const next = [...first.promptTokens, ...first.tokens, 9];
      const afterAnswer = await warm.complete(next, scored).result();
      expect((await cold.complete(next, scored).result()).logprobs).toEqual(afterAnswer.logprobs);
    },
    timeout,
  );

  it(
    'drafts change nothing, whichever way tokens are chosen',
    async () => {
      const options = prompts.map((_, seed) => ({
        temperature: 0.5,
        topK: 0,
        seed,
        ignoreEos: true,
        maxTokens: tokens,
      }));
      await using crowd = await open({ cachePages: 64, drafts: 'always' });
      const together = await all(crowd, options);
      expect(crowd.activity.draftedTokens).toBeGreaterThan(0);
      await using one = await open({ maxSequences: 1, drafts: 'never' });
      for (const [place, prompt] of prompts.entries()) {
        const { tokens } = await one.complete(prompt, options[place]!).result();
        expect(together[place]!.tokens).toEqual(tokens);
      }
      expect(new Set(together.map((result) => result.tokens.join())).size).toBe(prompts.length);
    },
    timeout,
  );
}
