import { isPocketError, type WeightSource } from '@pocketllm/abi';
import { sampleCase } from '../claims.js';
import { solve } from '../oracle.js';
import { prepareCase, weightsFrom } from '../run-steps.js';
import { describe, ensure, ensureFails } from '../verdict.js';
import type { ContractTest } from './contract-test.js';
import { needsCache, needsSample, prepareCached, prepareSample } from './subject.js';

/** Waits for a step that something was closed under: it may still end, or say that it is closed. */
async function ensureSettles(step: Promise<unknown>, what: string): Promise<void> {
  const fault = await step.then(
    () => undefined,
    (error: unknown) => (isPocketError(error, 'CLOSED') ? undefined : describe(error)),
  );
  ensure(fault === undefined, `${what} fails with ${fault}, and should end, or fail with CLOSED`);
}

export const lifetime: readonly ContractTest[] = [
  {
    name: 'a backend closes twice',
    async run({ open }) {
      const backend = await open();
      await backend.close();
      await backend.close();
    },
  },
  {
    name: 'an executable is released twice',
    skip: needsSample,
    async run({ open }) {
      const { prepared } = await prepareSample(await open());
      await prepared.executable.release();
      await prepared.executable.release();
    },
  },
  {
    name: 'a cache closes twice',
    skip: needsCache,
    async run({ open }) {
      const { prepared } = await prepareCached(await open());
      await prepared.cache!.close();
      await prepared.cache!.close();
    },
  },
  {
    name: 'a released executable is CLOSED',
    skip: needsSample,
    async run({ open }) {
      const subject = await prepareSample(await open());
      await subject.check('before its release');
      await subject.prepared.executable.release();
      await ensureFails(subject.run(), 'a step after release', 'CLOSED');
    },
  },
  {
    name: 'a closed cache is CLOSED, for its pages and for steps',
    skip: needsCache,
    async run({ open }) {
      const subject = await prepareCached(await open());
      const cache = subject.prepared.cache!;
      await subject.run();
      await cache.close();
      await ensureFails(subject.run(), 'a step with a closed cache', 'CLOSED');
      await ensureFails(cache.readPage(0), 'readPage after close', 'CLOSED');
      await ensureFails(cache.copyPage(0, 1), 'copyPage after close', 'CLOSED');
    },
  },
  {
    name: 'a closed backend is CLOSED, with all that it made',
    skip: needsSample,
    async run({ open }) {
      const backend = await open();
      const subject = await prepareSample(backend);
      await backend.close();
      await ensureFails(subject.run(), 'a step after the backend closed', 'CLOSED');
      await ensureFails(prepareSample(backend), 'prepare after the backend closed', 'CLOSED');
      await subject.prepared.executable.release();
    },
  },
  {
    name: 'a closed backend makes no cache',
    skip: needsCache,
    async run({ open }) {
      const backend = await open();
      const { spec } = (await prepareCached(backend)).prepared.cache!;
      await backend.close();
      await ensureFails(backend.createCache(spec), 'createCache after the backend closed', 'CLOSED');
    },
  },
  {
    name: 'executable, cache and backend may go in any order',
    skip: needsCache,
    timeoutMs: 120_000,
    async run({ open }) {
      for (const order of ['ecb', 'ceb', 'ebc', 'cbe', 'bec', 'bce']) {
        const backend = await open();
        const { prepared } = await prepareCached(backend);
        for (const thing of order) {
          if (thing === 'e') await prepared.executable.release();
          if (thing === 'c') await prepared.cache!.close();
          if (thing === 'b') await backend.close();
        }
      }
    },
  },
  {
    name: 'a release under a running step lets it end, or fails it as CLOSED',
    skip: needsSample,
    async run({ open }) {
      const backend = await open();
      const subject = await prepareSample(backend);
      const step = subject.run();
      await Promise.all([ensureSettles(step, 'a step'), subject.prepared.executable.release()]);
      await (await prepareSample(backend)).check('on the same backend, afterwards');
    },
  },
  {
    name: 'a close under a running step lets it end, or fails it as CLOSED',
    skip: needsSample,
    async run({ open }) {
      const backend = await open();
      const subject = await prepareSample(backend);
      const step = subject.run();
      await Promise.all([ensureSettles(step, 'a step'), backend.close()]);
    },
  },
  {
    name: 'a close under prepare lets it end, or fails it as CLOSED',
    skip: needsSample,
    async run({ open, device }) {
      const item = sampleCase(device)!;
      const { data } = await solve(item);
      const backend = await open();
      const { read } = weightsFrom(data.weights);
      let closing: Promise<void> | undefined;
      const closesOnRead: WeightSource = {
        read(...range) {
          closing ??= backend.close();
          return read(...range);
        },
      };
      await ensureSettles(prepareCase(backend, item, closesOnRead), 'prepare');
      await closing;
    },
  },
  {
    name: 'a device opens again after it was closed',
    skip: needsSample,
    async run({ open }) {
      for (const time of ['first', 'second']) {
        const backend = await open();
        await (await prepareSample(backend)).check(`opened for the ${time} time`);
        await backend.close();
      }
    },
  },
];
