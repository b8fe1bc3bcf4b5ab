// @ts-check
import { readFileSync } from 'node:fs';
import { CpuClock } from './cpu-clock.mjs';

/** @typedef {import('./engines/engine.mjs').Engine} Engine */
/** @typedef {import('./engines/engine.mjs').EngineJob} EngineJob */
/** @typedef {import('./rows.mjs').Row} Row */

/**
 * What one process measured: one value for each repeat, in tokens/s, milliseconds or bytes. `otherCores` are cores
 * that anything else on the machine used meanwhile.
 *
 * @typedef {{ unit: 'tokens/s' | 'ms' | 'bytes', values: number[], otherCores?: number,
 *   about: Record<string, unknown>, counts: Record<string, number> }} Measurement
 */

/**
 * Opens the engine and measures one row. A row that the engine cannot do is left out, with the reason.
 *
 * @param {Row} row
 * @param {object} options
 * @param {string} options.model
 * @param {number} options.threads
 * @param {number} options.context positions a sequence
 * @param {number} options.vocabulary ids from 0 on that prompts are made of
 * @param {number} options.seed
 * @param {string} [options.isa]
 * @param {(job: EngineJob) => Promise<Engine>} options.open
 * @returns {Promise<Measurement | { leftOut: string, about: Record<string, unknown> }>}
 */
export async function measure(row, { model, threads, context, vocabulary, seed, isa, open }) {
  const prompts = new Prompts(vocabulary, seed);
  const sequences = row.kind === 'batch' ? row.sequences : 1;
  const job = { model, threads, context, sequences, ...(isa === undefined ? {} : { isa }) };
  const loading = new CpuClock();
  const started = performance.now();
  const engine = await open(job);
  try {
    if (row.kind === 'load') {
      await engine.generate(prompts.next(row.prompt), 1);
      const values = [performance.now() - started];
      return { unit: 'ms', values, ...loading.read(), about: engine.about, counts: engine.counts() };
    }
    if (row.kind === 'memory') {
      await engine.generate(prompts.next(row.prompt), row.tokens);
      return { unit: 'bytes', values: [peakResidentBytes()], about: engine.about, counts: engine.counts() };
    }
    // Touches the weights and lets the JavaScript be compiled.
    await engine.generate(prompts.next(Math.min(row.kind === 'batch' ? 1 : row.prompt, 64)), 3);
    const clock = new CpuClock();
    const values = [];
    for (let i = 0; i < row.repeats; i++) {
      if (row.kind === 'batch') {
        const together = Array.from({ length: sequences }, () => prompts.next(1));
        const result = await engine.generateTogether(together, row.tokens);
        if ('leftOut' in result) return { ...result, about: engine.about };
        values.push((1000 * sequences * row.tokens) / result.ms);
      } else if (row.kind === 'prefill') {
        values.push((1000 * row.prompt) / (await engine.generate(prompts.next(row.prompt), 1)).firstMs);
      } else {
        const { restMs } = await engine.generate(prompts.next(row.prompt), row.tokens);
        values.push((1000 * (row.tokens - 1)) / restMs);
      }
    }
    return { unit: 'tokens/s', values, ...clock.read(), about: engine.about, counts: engine.counts() };
  } finally {
    await engine.close();
  }
}

/** Prompts of random ids, a new one each time, the same for the same seed. */
class Prompts {
  #state;

  /** @param {number} vocabulary @param {number} seed */
  constructor(vocabulary, seed) {
    this.vocabulary = vocabulary;
    this.#state = (seed + 1) >>> 0;
  }

  /** @param {number} length */
  next(length) {
    return Array.from({ length }, () => {
      this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
      return Math.floor((this.#state / 2 ** 32) * this.vocabulary);
    });
  }
}

/** The most memory that this process had in use at once, file pages that it mapped included. */
function peakResidentBytes() {
  if (process.platform === 'linux') {
    const kilobytes = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    if (kilobytes !== undefined) return Number(kilobytes) * 1024;
  }
  return process.resourceUsage().maxRSS * 1024;
}
