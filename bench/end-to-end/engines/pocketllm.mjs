// @ts-check
import { fileURLToPath } from 'node:url';
import { loadBackend, openModel } from '@pocketllm/runtime/node';
import { observe } from './observed-backend.mjs';

/** @typedef {import('./engine.mjs').Engine} Engine */

const packages = new URL('../../../packages/', import.meta.url);

/** Backends of this repository by their short names; anything else is a path of a package. @param {string} name */
const placeOf = (name) => {
  if (name === 'reference') return fileURLToPath(new URL('reference', packages));
  return /^[a-z]+$/.test(name) ? fileURLToPath(new URL(`backend-${name}`, packages)) : name;
};

/** @param {string} backend @param {import('./engine.mjs').EngineJob} job @returns {Promise<Engine>} */
export async function openPocketllm(backend, { model: path, threads, context, sequences }) {
  const { plugin, steps } = observe(await loadBackend(placeOf(backend)));
  // Random prompts end in answers that go round, which drafts would make look fast.
  const drafts = 'never';
  const model = await openModel(path, { backend: plugin, threads, maxModelLen: context * sequences, drafts });
  const { device, formats } = model.info;
  /** @param {readonly number[]} prompt @param {number} maxTokens */
  const answer = (prompt, maxTokens) =>
    model.complete(prompt, { temperature: 0, maxTokens, ignoreEos: true }).result();
  let outside = 0;
  return {
    about: { engine: 'pocketllm', backend, device, threads, formats: Object.keys(formats).join(' ') },
    async generate(prompt, tokens) {
      steps.restart();
      const started = performance.now();
      const { timings } = await answer(prompt, tokens);
      outside = 1 - steps.ms / (performance.now() - started);
      return { firstMs: timings.firstTokenMs, restMs: timings.generationMs };
    },
    async generateTogether(prompts, tokens) {
      steps.restart();
      const started = performance.now();
      await Promise.all(prompts.map((prompt) => answer(prompt, tokens)));
      const ms = performance.now() - started;
      outside = 1 - steps.ms / ms;
      if (steps.largest > 1) return { ms };
      return { leftOut: 'not supported yet: the engine ran one sequence a step' };
    },
    counts: () => ({ outsideBackend: outside, sequencesInAStep: steps.largest }),
    close: () => model.close(),
  };
}
