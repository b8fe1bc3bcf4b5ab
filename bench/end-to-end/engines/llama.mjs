// @ts-check
// llama.cpp through the npm package node-llama-cpp, with the binaries that its platform package brings.
import { readFileSync } from 'node:fs';
import { holdToVariant } from './llama-variant.mjs';

/** @typedef {import('./engine.mjs').Engine} Engine */
/** The part of the package's interface that is used here. */
/** @typedef {{ evaluate(tokens: number[], options: object): AsyncGenerator<number>, clearHistory(): Promise<void> }} Sequence */
/** @typedef {{ getSequence(): Sequence, currentThreads: number, flashAttention: unknown }} Context */
/** @typedef {{ createContext(options: object): Promise<Context> }} Model */
/** @typedef {{ loadModel(options: object): Promise<Model>, llamaCppRelease: { release: string }, dispose(): Promise<void> }} Llama */

/** Rows of one step, and also its package's and llama.cpp's own default. */
const batchSize = 512;

/**
 * Makes the engine ready, without a model. This is not part of any measurement: the package tries its binary in a
 * process of its own first.
 *
 * @param {{ threads: number, isa?: string }} options
 */
export async function prepareLlama({ threads, isa }) {
  if (isa !== undefined) holdToVariant(isa);
  // Named through a variable, so that the types of this repository do not need the package.
  const name = 'node-llama-cpp';
  /** @type {{ getLlama(options: object): Promise<Llama> }} */
  const { getLlama } = await import(name);
  return getLlama({
    gpu: false,
    build: 'never',
    skipDownload: true,
    maxThreads: threads,
    logLevel: 'error',
    progressLogs: false,
  });
}

/** @param {Llama} llama @param {import('./engine.mjs').EngineJob} job @returns {Promise<Engine>} */
export async function openLlama(llama, { model: path, threads, context: contextSize, sequences: count }) {
  const model = await llama.loadModel({ modelPath: path, gpuLayers: 0 });
  const context = await model.createContext({
    contextSize,
    sequences: count,
    batchSize,
    threads,
    flashAttention: true,
    ignoreMemorySafetyChecks: true,
    failedCreationRemedy: false,
  });
  const sequences = Array.from({ length: count }, () => context.getSequence());

  /** @param {Sequence | undefined} sequence @param {number[]} prompt @param {number} tokens */
  async function answer(sequence, prompt, tokens) {
    if (!sequence) throw new Error('there are fewer sequences than prompts');
    await sequence.clearHistory();
    const started = performance.now();
    const times = [];
    for await (const _ of sequence.evaluate(prompt, { temperature: 0, yieldEogToken: true })) {
      times.push(performance.now());
      if (times.length === tokens) break;
    }
    if (times.length !== tokens) throw new Error(`${tokens} tokens were asked for, ${times.length} came`);
    const [first = 0] = times;
    return { firstMs: first - started, restMs: (times.at(-1) ?? first) - first };
  }

  return {
    about: {
      engine: 'node-llama-cpp',
      llamaCpp: llama.llamaCppRelease.release,
      variant: loadedVariant(),
      threads: context.currentThreads,
      flashAttention: context.flashAttention,
    },
    generate: (prompt, tokens) => answer(sequences[0], prompt, tokens),
    async generateTogether(prompts, tokens) {
      const started = performance.now();
      await Promise.all(prompts.map((prompt, i) => answer(sequences[i], prompt, tokens)));
      return { ms: performance.now() - started };
    },
    counts: () => ({}),
    close: () => llama.dispose(),
  };
}

/** Which of the package's libraries for different processors this process has mapped. */
function loadedVariant() {
  if (process.platform !== 'linux') return 'unknown';
  return /libggml-cpu-(\w+)/.exec(readFileSync('/proc/self/maps', 'utf8'))?.[1] ?? 'none';
}
