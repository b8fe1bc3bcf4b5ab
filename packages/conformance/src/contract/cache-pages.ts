import type { Backend, Cache, DeviceInfo } from '@pocketllm/abi';
import type { CaseStep, Outputs } from '../cases/case.js';
import { judgeFloats } from '../cases/judges.js';
import { cachedCase } from '../claims.js';
import { Random } from '../data/random.js';
import { referenceBackend } from '../oracle.js';
import { type Prepared, prepareCase, runStep, weightsFrom } from '../run-steps.js';
import { ensure, ensureRefused } from '../verdict.js';
import type { ContractTest } from './contract-test.js';
import { needsCache } from './subject.js';

/** What is done to a cache of a few pages, and the results of the steps that are to be compared. */
type Play = (stage: Stage) => Promise<Outputs[]>;

/** Attention over random rows, on whatever backend plays. */
interface Stage {
  readonly cache: Cache;
  /** Another cache with the same spec. */
  readonly other: Cache;
  /** Adds `rows` rows, random by `name`, to the sequence with these pages. */
  add(name: string, rows: number, start: number, pages: readonly number[], cache?: Cache): Promise<Outputs>;
}

const pages = 8;

async function play(backend: Backend, device: DeviceInfo, acts: Play): Promise<Outputs[]> {
  const { program, cache } = cachedCase(device)!;
  const item = { program, cache: { pages, format: cache!.format }, maxRows: 64, maxOutputs: 1 };
  const prepared = await prepareCase(backend, item, weightsFrom({}));
  const other = await backend.createCache(prepared.cache!.spec);
  const add = (name: string, rows: number, start: number, of: readonly number[], on = prepared.cache) => {
    const random = new Random(name);
    const inputs = program.inputs.map(({ name: input, dimensions }) => {
      return [input, random.floats(rows * (dimensions[1] as number))] as const;
    });
    const step: CaseStep = {
      rows,
      outputs: 0,
      sequences: [{ rows, start, pages: of, phase: rows === 1 ? 'decode' : 'prefill' }],
      inputs: Object.fromEntries(inputs),
    };
    return runStep(program, { ...prepared, cache: on } satisfies Prepared, step);
  };
  try {
    return await acts({ cache: prepared.cache!, other, add });
  } finally {
    await other.close();
    await prepared.close();
  }
}

/** Plays on the device and on the reference, and compares: a few roundings apart at most. */
function sameAsReference(name: string, acts: Play): ContractTest {
  return {
    name,
    skip: needsCache,
    async run({ open, device }) {
      const expected = await play(await referenceBackend(), device, acts);
      const actual = await play(await open(), device, acts);
      expected.forEach((outputs, index) => {
        const judge = judgeFloats(outputs.out as Float32Array, {}, () => ({ sums: [[2 ** 10, 4]] }));
        const fault = judge(actual[index]!.out!);
        ensure(fault === undefined, `result ${index}: ${fault}`);
      });
    },
  };
}

export const cachePages: readonly ContractTest[] = [
  {
    name: 'a cache says what it was made for',
    skip: needsCache,
    async run({ open, device }) {
      const { program, cache } = cachedCase(device)!;
      const spec = { layers: program.caches, pages: 3, format: cache!.format };
      const made = await (await open()).createCache(spec);
      ensure(JSON.stringify(made.spec) === JSON.stringify(spec), `spec is ${JSON.stringify(made.spec)}`);
    },
  },
  sameAsReference('a fork goes on from a copy of the page that is not full', async ({ cache, add }) => {
    await add('prefix', 40, 0, [5, 2]);
    await cache.copyPage(2, 7);
    return [
      await add('fork', 1, 40, [5, 7]),
      await add('origin', 1, 40, [5, 2]),
      await add('fork goes on', 3, 41, [5, 7]),
      await add('origin goes on', 1, 41, [5, 2]),
    ];
  }),
  sameAsReference('full pages may stand in several sequences', async ({ add }) => {
    await add('prefix', 64, 0, [6, 1]);
    return [
      await add('one', 9, 64, [6, 1, 4]),
      await add('other', 30, 64, [6, 1, 0]),
      await add('one goes on', 1, 73, [6, 1, 4]),
      await add('shorter', 5, 32, [6, 3]),
      await add('other goes on', 1, 94, [6, 1, 0]),
    ];
  }),
  sameAsReference('pages are read and written into another cache', async ({ cache, other, add }) => {
    await add('moved', 50, 0, [3, 0]);
    await other.writePage(1, await cache.readPage(3));
    await other.writePage(4, await cache.readPage(0));
    return [await add('goes on there', 1, 50, [1, 4], other), await add('goes on here', 1, 50, [3, 0])];
  }),
  sameAsReference('a page is used again by another sequence', async ({ add }) => {
    await add('old', 60, 0, [2, 3]);
    const fresh = await add('fresh', 7, 0, [3]);
    return [fresh, await add('fresh goes on', 1, 7, [3]), await add('old is cut short', 1, 20, [2])];
  }),
  {
    name: 'a page that is read stays as it was read',
    skip: needsCache,
    async run({ open, device }) {
      await play(await open(), device, async ({ cache, add }) => {
        await add('first', 20, 0, [1]);
        const read = await cache.readPage(1);
        const before = read.slice();
        await add('second', 20, 0, [1]);
        ensure(
          read.every((byte, i) => byte === before[i]),
          'bytes that were read changed with the cache',
        );
        await cache.writePage(1, before);
        const again = await cache.readPage(1);
        ensure(
          again.every((byte, i) => byte === before[i]),
          'a page that was written reads back differently',
        );
        return [];
      });
    },
  },
  {
    name: 'pages beyond the cache and bytes of another length are refused',
    skip: needsCache,
    async run({ open, device }) {
      await play(await open(), device, async ({ cache, add }) => {
        await ensureRefused(cache.readPage(pages), 'readPage beyond the cache');
        await ensureRefused(cache.readPage(-1), 'readPage of page -1');
        await ensureRefused(cache.copyPage(0, pages), 'copyPage to beyond the cache');
        await ensureRefused(cache.copyPage(pages, 0), 'copyPage from beyond the cache');
        const bytes = await cache.readPage(0);
        await ensureRefused(cache.writePage(pages, bytes), 'writePage beyond the cache');
        await ensureRefused(cache.writePage(0, bytes.subarray(1)), 'writePage of a byte too few');
        return [await add('goes on', 5, 0, [0])];
      });
    },
  },
];
