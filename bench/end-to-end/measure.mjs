// @ts-check
import { readFileSync } from 'node:fs';
import { CpuClock } from './cpu-clock.mjs';
import { beforeAllOthers } from './priority.mjs';
import { Prompts } from './prompts.mjs';

/** @typedef {import('./engines/engine.mjs').Engine} Engine */
/** @typedef {import('./engines/engine.mjs').EngineJob} EngineJob */
/** @typedef {import('./rows.mjs').Row} Row */

/**
 * What one process measured: one value for each repeat, in tokens/s, milliseconds or bytes. `otherCores` are cores
 * that anything else on the machine used meanwhile, in the repeat in which that was most.
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
 * @param {boolean} options.realtime whether what is timed runs before everything else on the machine
 * @param {(job: EngineJob) => Promise<Engine>} options.open
 * @returns {Promise<Measurement | { leftOut: string, about: Record<string, unknown> }>}
 */
export async function measure(row, { model, threads, context, vocabulary, seed, isa, realtime, open }) {
  const prompts = new Prompts(vocabulary, seed);
  const sequences = row.kind === 'batch' ? row.sequences : 1;
  const job = { model, threads, context, sequences, ...(isa === undefined ? {} : { isa }) };
  if (row.kind === 'load') return measureLoad(() => open(job), prompts.next(row.prompt), realtime);
  const engine = await open(job);
  try {
    return row.kind === 'memory'
      ? await measureMemory(row, engine, prompts)
      : await measureRate(row, engine, prompts, realtime);
  } finally {
    await engine.close();
  }
}

/** @param {() => Promise<Engine>} open @param {number[]} prompt @param {boolean} realtime @returns {Promise<Measurement>} */
async function measureLoad(open, prompt, realtime) {
  const { engine, ms, otherCores } = await timed(realtime, async () => {
    const started = performance.now();
    const engine = await open();
    await engine.generate(prompt, 1);
    return { engine, ms: performance.now() - started };
  });
  const { about } = engine;
  const counts = engine.counts();
  await engine.close();
  return { unit: 'ms', values: [ms], otherCores, about, counts };
}

/** @param {Extract<Row, { kind: 'memory' }>} row @param {Engine} engine @param {Prompts} prompts @returns {Promise<Measurement>} */
async function measureMemory(row, engine, prompts) {
  await engine.generate(prompts.next(row.prompt), row.tokens);
  return { unit: 'bytes', values: [peakResidentBytes()], about: engine.about, counts: engine.counts() };
}

/** @typedef {Extract<Row, { kind: 'prefill' | 'decode' | 'batch' }>} RateRow */

/** @param {RateRow} row @param {Engine} engine @param {Prompts} prompts @param {boolean} realtime */
async function measureRate(row, engine, prompts, realtime) {
  const { about } = engine;
  // Touches the weights and lets the JavaScript be compiled.
  const short = prompts.next(Math.min(row.kind === 'batch' ? 1 : row.prompt, 64));
  await timed(realtime, () => engine.generate(short, 3));
  const values = [];
  let otherCores = 0;
  for (let i = 0; i < row.repeats; i++) {
    const result = await timed(realtime, () => tokensPerSecond(row, engine, prompts));
    if ('leftOut' in result) return { leftOut: result.leftOut, about };
    values.push(result.rate);
    otherCores = Math.max(otherCores, result.otherCores);
  }
  return { unit: /** @type {const} */ ('tokens/s'), values, otherCores, about, counts: engine.counts() };
}

/** @param {RateRow} row @param {Engine} engine @param {Prompts} prompts @returns {Promise<{ rate: number } | { leftOut: string }>} */
async function tokensPerSecond(row, engine, prompts) {
  if (row.kind === 'prefill') {
    return { rate: (1000 * row.prompt) / (await engine.generate(prompts.next(row.prompt), 1)).firstMs };
  }
  if (row.kind === 'decode') {
    const { restMs } = await engine.generate(prompts.next(row.prompt), row.tokens);
    return { rate: (1000 * (row.tokens - 1)) / restMs };
  }
  const together = Array.from({ length: row.sequences }, () => prompts.next(1));
  const result = await engine.generateTogether(together, row.tokens);
  return 'leftOut' in result ? result : { rate: (1000 * row.sequences * row.tokens) / result.ms };
}

/**
 * Does some work, and counts what others did meanwhile.
 *
 * @template {object} T
 * @param {boolean} realtime
 * @param {() => Promise<T>} work
 * @returns {Promise<T & { otherCores: number }>}
 */
async function timed(realtime, work) {
  const counted = async () => {
    const clock = new CpuClock();
    const result = await work();
    return { ...result, otherCores: clock.otherCores() };
  };
  return realtime ? beforeAllOthers(counted) : counted();
}

/** The most memory that this process had in use at once, file pages that it mapped included. */
function peakResidentBytes() {
  if (process.platform === 'linux') {
    const kilobytes = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    if (kilobytes !== undefined) return Number(kilobytes) * 1024;
  }
  return process.resourceUsage().maxRSS * 1024;
}
