import { isPocketError } from '@pocketllm/abi';
import { sampleCase } from '../claims.js';
import { solve } from '../oracle.js';
import { weightsFrom } from '../run-steps.js';
import { describe, ensure, ensureFails } from '../verdict.js';
import type { ContractTest } from './contract-test.js';
import { type LongStep, longStep, needsChain } from './long-step.js';
import { needsSample, prepareSample } from './subject.js';

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Fires a signal when a quarter of a long step is over, and measures how long the step goes on. */
async function cancelDelay(step: LongStep): Promise<number> {
  const controller = new AbortController();
  const outcome = step.run(controller.signal).then(
    () => 'ran to its end',
    (error: unknown) => (isPocketError(error, 'CANCELLED') ? undefined : `failed with ${describe(error)}`),
  );
  await sleep(step.durationMs / 4);
  const fired = performance.now();
  controller.abort();
  const fault = await outcome;
  ensure(
    fault === undefined,
    `a step of ${Math.round(step.durationMs)} ms (${step.calls} calls) ${fault}, though its signal fired at a quarter`,
  );
  return performance.now() - fired;
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
      const delays: number[] = [];
      for (let i = 0; i < 5; i++) delays.push(await cancelDelay(step));
      const delay = delays.sort((a, b) => a - b)[2]!;
      const allowed = Math.max(100, step.durationMs / 4);
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
      let longest = 0;
      let last = performance.now();
      const timer = setInterval(() => {
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      }, 5);
      await step.run();
      clearInterval(timer);
      longest = Math.max(longest, performance.now() - last);
      const allowed = Math.max(100, step.durationMs / 3);
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
