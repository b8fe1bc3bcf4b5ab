import { isPocketError } from '@pocketllm/abi';
import { sampleCase } from '../claims.js';
import { solve } from '../oracle.js';
import { weightsFrom } from '../run-steps.js';
import { describe, ensure, ensureFails } from '../verdict.js';
import type { ContractTest } from './contract-test.js';
import { type LongStep, longStep, needsChain } from './long-step.js';
import { needsSample, prepareSample } from './subject.js';

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A busy machine stops any process for a while, so a figure that is too large is measured again. */
const rounds = 3;
/** Attempts to fire while a step runs: on a busy machine one may take less time than before, or timers more. */
const attempts = 8;

/** How long a step may go on after its signal, or keep timers from running. */
const allowedMs = (step: LongStep, part: number): number => Math.max(100, step.durationMs * part);

/**
 * Fires a signal when a quarter of a long step is over, and measures how long the step goes on. A step that ran to its
 * end says nothing where it ended soon after the signal, or before: then the next signal comes sooner.
 */
async function cancelDelay(step: LongStep): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const controller = new AbortController();
    const ended = step.run(controller.signal).then(
      () => ({ fault: 'ran to its end', at: performance.now() }),
      (error: unknown) => ({
        fault: isPocketError(error, 'CANCELLED') ? undefined : `failed with ${describe(error)}`,
        at: performance.now(),
      }),
    );
    await sleep(step.durationMs / 4 / 2 ** Math.min(attempt - 1, 4));
    const fired = performance.now();
    controller.abort();
    const { fault, at } = await ended;
    if (fault === undefined) return at - fired;
    const isUnclear = fault === 'ran to its end' && at - fired <= allowedMs(step, 1 / 4);
    ensure(
      isUnclear && attempt < attempts,
      `a step of ${Math.round(step.durationMs)} ms (${step.calls} calls) ${fault}, though its signal fired`,
    );
  }
}

/** The best of several rounds, of which one has to be good enough. */
async function bestOfRounds(measureOnce: () => Promise<number>, allowed: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds && best > allowed; round++) best = Math.min(best, await measureOnce());
  return best;
}

/** The longest time for which timers did not run during a step. */
async function longestPause(step: LongStep): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const note = () => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  };
  const timer = setInterval(note, 5);
  await step.run();
  clearInterval(timer);
  note();
  return longest;
}

export const cancel: readonly ContractTest[] = [
  {
    name: 'a step whose signal has fired before it does not run',
    skip: needsSample,
    async run({ open }) {
      const subject = await prepareSample(await open());
      const run = subject.run(undefined, AbortSignal.abort());
      await ensureFails(run, 'a step with a signal that has fired', 'CANCELLED');
      await subject.check('after a step that was cancelled');
    },
  },
  {
    name: 'a signal ends a long step between two ops, soon',
    skip: needsChain,
    timeoutMs: 120_000,
    async run({ open, measure }) {
      const step = await longStep(await open());
      const allowed = allowedMs(step, 1 / 4);
      const delay = await bestOfRounds(async () => {
        const delays: number[] = [];
        for (let i = 0; i < 5; i++) delays.push(await cancelDelay(step));
        return delays.sort((a, b) => a - b)[2]!;
      }, allowed);
      ensure(
        delay <= allowed,
        `it took ${Math.round(delay)} ms (median of 5), allowed ${Math.round(allowed)}`,
      );
      measure('stepMs', step.durationMs);
      measure('cancelMs', delay);
    },
  },
  {
    name: 'after a step that was cancelled halfway, everything works',
    skip: (context) => needsChain(context) ?? needsSample(context),
    timeoutMs: 120_000,
    async run({ open }) {
      const backend = await open();
      const subject = await prepareSample(backend);
      const step = await longStep(backend);
      await cancelDelay(step);
      await subject.check('after another step was cancelled');
      await step.run();
    },
  },
  {
    name: 'a cancelled step leaves those that wait behind it alone',
    skip: (context) => needsChain(context) ?? needsSample(context),
    timeoutMs: 120_000,
    async run({ open }) {
      const backend = await open();
      const subject = await prepareSample(backend);
      const step = await longStep(backend);
      const [, outputs] = await Promise.all([cancelDelay(step), subject.run()]);
      subject.judge(0, outputs, 'a step that waited behind one that was cancelled');
    },
  },
  {
    name: 'a long step leaves the JavaScript thread free',
    skip: needsChain,
    timeoutMs: 120_000,
    async run({ open, measure }) {
      const step = await longStep(await open());
      const allowed = allowedMs(step, 1 / 3);
      const longest = await bestOfRounds(() => longestPause(step), allowed);
      ensure(
        longest <= allowed,
        `a step of ${Math.round(step.durationMs)} ms blocked timers for ${Math.round(longest)} ms`,
      );
      measure('longestPauseMs', longest);
    },
  },
  {
    name: 'prepare stops when its signal fires while weights are read',
    skip: ({ device }) => {
      const item = sampleCase(device);
      return item && item.program.weights.length > 0 ? undefined : 'the device claims no op with weights';
    },
    async run({ open, device }) {
      const item = sampleCase(device)!;
      const { data } = await solve(item);
      const controller = new AbortController();
      const { read } = weightsFrom(data.weights);
      const { program, maxRows, maxOutputs } = item;
      const options = { maxRows, maxOutputs, signal: controller.signal };
      const firesOnRead = {
        read: (...range: Parameters<typeof read>) => {
          controller.abort();
          return read(...range);
        },
      };
      await ensureFails((await open()).prepare(program, firesOnRead, options), 'prepare', 'CANCELLED');
    },
  },
];
