import { type Backend, type CacheSpec, type MemoryReport, rowBytes, weightFormats } from '@pocketllm/abi';
import { cachedCase, sampleCase } from '../claims.js';
import { solve } from '../oracle.js';
import { prepareCase, weightsFrom } from '../run-steps.js';
import { ensure, ensureFails, ensureRefused } from '../verdict.js';
import type { ContractTest } from './contract-test.js';
import { largeWeight } from './large-weight.js';
import { needsCache, needsSample, prepareCached, prepareSample, prepareSubject } from './subject.js';

const cycles = 100;
const megabyte = 2 ** 20;

function ensureSame(before: MemoryReport, after: MemoryReport, when: string): void {
  for (const kind of ['weights', 'caches', 'scratch'] as const) {
    ensure(
      after[kind] === before[kind],
      `${when}: ${kind} are ${after[kind]} bytes, and were ${before[kind]}`,
    );
  }
}

/** Bytes that the format itself needs for the pages of a cache. */
function bytesOfCache({ layers, pages, format }: CacheSpec): number {
  const values = (size: number) => rowBytes(weightFormats[format], size)!;
  const perPosition = layers.reduce(
    (sum, { kvHeads, headSize, valueSize }) => sum + kvHeads * (values(headSize) + values(valueSize)),
    0,
  );
  return perPosition * pages * 32;
}

/** Resident bytes of this process; undefined where the platform does not say. */
function processBytes(): number | undefined {
  const { process } = globalThis as { process?: { memoryUsage?: () => { rss: number } } };
  return process?.memoryUsage?.().rss;
}

async function cycle(backend: Backend): Promise<void> {
  const subject = cachedCase(backend.device) ? await prepareCached(backend) : await prepareSample(backend);
  await subject.run();
  await subject.prepared.close();
}

export const memory: readonly ContractTest[] = [
  {
    name: 'the report counts bytes',
    async run({ open }) {
      const report = (await open()).memory();
      for (const kind of ['weights', 'caches', 'scratch'] as const) {
        ensure(Number.isSafeInteger(report[kind]) && report[kind] >= 0, `${kind} is ${report[kind]}`);
      }
    },
  },
  {
    name: 'weights are counted while they are held',
    skip: ({ device }) => (largeWeight(device, megabyte) ? undefined : 'the device claims no matmul'),
    async run({ open, device }) {
      const { program, bytes } = largeWeight(device, megabyte)!;
      const backend = await open();
      const before = backend.memory();
      const executable = await backend.prepare(program, weightsFrom({ weight: bytes }), {
        maxRows: 1,
        maxOutputs: 1,
      });
      const held = backend.memory().weights - before.weights;
      ensure(held >= bytes.length / 2, `a weight of ${bytes.length} bytes counts as ${held}`);
      await executable.release();
      ensureSame(before, backend.memory(), 'after release');
    },
  },
  {
    name: 'caches are counted while they are held',
    skip: needsCache,
    async run({ open }) {
      const backend = await open();
      const before = backend.memory();
      const { prepared } = await prepareCached(backend);
      const held = backend.memory().caches - before.caches;
      const needed = bytesOfCache(prepared.cache!.spec);
      ensure(held >= needed, `a cache of ${needed} bytes counts as ${held}`);
      await prepared.close();
      ensureSame(before, backend.memory(), 'after close');
    },
  },
  {
    name: `memory is back to the byte after each of ${cycles} cycles of prepare, run and release`,
    skip: needsSample,
    timeoutMs: 120_000,
    async run({ open }) {
      const backend = await open();
      const before = backend.memory();
      for (let i = 0; i < cycles; i++) {
        await cycle(backend);
        ensureSame(before, backend.memory(), `after cycle ${i + 1}`);
      }
    },
  },
  {
    name: `a device opens, runs and closes ${cycles} times, each time with nothing held`,
    skip: needsSample,
    timeoutMs: 300_000,
    async run({ open }) {
      let first: MemoryReport | undefined;
      for (let i = 0; i < cycles; i++) {
        const backend = await open();
        first ??= backend.memory();
        ensureSame(first, backend.memory(), `opened for the ${i + 1}th time`);
        await cycle(backend);
        await backend.close();
      }
    },
  },
  {
    name: `${cycles} cycles do not grow the process`,
    skip: ({ device }) => {
      if (processBytes() === undefined) return 'this platform does not say how large the process is';
      return largeWeight(device, megabyte) ? undefined : 'the device claims no matmul';
    },
    timeoutMs: 120_000,
    async run({ open, device, measure }) {
      const { program, bytes } = largeWeight(device, 2 * megabyte)!;
      const backend = await open();
      const loadOnce = async () => {
        const source = weightsFrom({ weight: bytes });
        await (await backend.prepare(program, source, { maxRows: 1, maxOutputs: 1 })).release();
      };
      for (let i = 0; i < 10; i++) await loadOnce();
      const before = processBytes()!;
      for (let i = 0; i < cycles; i++) await loadOnce();
      const growth = processBytes()! - before;
      // Garbage may lie about for a while, but not half of all that was ever loaded.
      const allowed = (cycles * bytes.length) / 2;
      ensure(
        growth < allowed,
        `the process grew by ${growth} bytes while ${cycles * bytes.length} were loaded`,
      );
      measure('growthBytes', growth);
    },
  },
  {
    name: 'a prepare that fails leaves nothing behind',
    skip: needsSample,
    async run({ open, device }) {
      const backend = await open();
      const before = backend.memory();
      const failing = { read: () => Promise.reject(new Error('the file is gone')) };
      const item = sampleCase(device)!;
      const hasWeights = item.program.weights.length > 0;
      if (hasWeights)
        await ensureRefused(prepareCase(backend, item, failing), 'prepare from a failing source');
      const { data } = await solve(item);
      const signal = AbortSignal.abort();
      const { program, maxRows, maxOutputs } = item;
      const options = { maxRows, maxOutputs, signal };
      await ensureFails(
        backend.prepare(program, weightsFrom(data.weights), options),
        'prepare with a signal that has fired',
        'CANCELLED',
      );
      ensureSame(before, backend.memory(), 'after two prepares that failed');
      await (await prepareSubject(backend, item)).check('after prepares that failed');
    },
  },
  {
    name: 'a cache beyond all memory is OUT_OF_MEMORY, and the backend goes on',
    skip: needsCache,
    async run({ open, device }) {
      const backend = await open();
      const before = backend.memory();
      const { program, cache } = cachedCase(device)!;
      const spec = { ...cache!, layers: program.caches, pages: 2 ** 40 };
      await ensureFails(backend.createCache(spec), 'a cache of 2^40 pages', 'OUT_OF_MEMORY');
      ensureSame(before, backend.memory(), 'after the cache that did not fit');
      await (await prepareCached(backend)).check('after the cache that did not fit');
    },
  },
];
