import type { WeightSource } from '@pocketllm/abi';
import { sampleCase } from '../claims.js';
import { solve } from '../oracle.js';
import { prepareCase, weightsFrom } from '../run-steps.js';
import { ensure, ensureFails, ensureRefused } from '../verdict.js';
import type { ContractContext, ContractTest } from './contract-test.js';
import { largeWeight } from './large-weight.js';

const needsWeights = ({ device }: ContractContext): string | undefined =>
  sampleCase(device)?.program.weights.length ? undefined : 'the device claims no op with weights';

export const weights: readonly ContractTest[] = [
  {
    name: 'weights are read within their bytes',
    skip: needsWeights,
    async run({ open, device }) {
      const item = sampleCase(device)!;
      const { data } = await solve(item);
      const { read } = weightsFrom(data.weights);
      const faults: string[] = [];
      const watched: WeightSource = {
        read(name, offset = 0, length) {
          const bytes = data.weights[name]?.length;
          if (bytes === undefined) faults.push(`a weight ${name} is asked for, and there is none`);
          else if (offset < 0 || offset + (length ?? 0) > bytes) {
            faults.push(`bytes ${offset} to ${offset + (length ?? 0)} of ${name} are asked for, of ${bytes}`);
          }
          return read(name, offset, length);
        },
      };
      await prepareCase(await open(), item, watched);
      ensure(faults.length === 0, faults.join('; '));
    },
  },
  {
    name: 'a source that fails makes prepare fail',
    skip: needsWeights,
    async run({ open, device }) {
      const source: WeightSource = { read: () => Promise.reject(new Error('the disk is gone')) };
      await ensureRefused(
        prepareCase(await open(), sampleCase(device)!, source),
        'prepare from a failing source',
      );
    },
  },
  {
    name: 'a source that gives too few bytes makes prepare fail with a code',
    skip: needsWeights,
    async run({ open, device }) {
      const item = sampleCase(device)!;
      const { data } = await solve(item);
      const { read } = weightsFrom(data.weights);
      const short: WeightSource = {
        read: async (...range) => (await read(...range)).subarray(1),
      };
      await ensureFails(prepareCase(await open(), item, short), 'prepare from a file that is too short');
    },
  },
  {
    name: 'progress grows to its total and no further',
    skip: ({ device }) => (largeWeight(device, 2 ** 22) ? undefined : 'the device claims no matmul'),
    async run({ open, device }) {
      const { program, bytes } = largeWeight(device, 2 ** 22)!;
      let last = 0;
      const faults: string[] = [];
      const onProgress = (done: number, total: number) => {
        if (done < last || done > total) faults.push(`${done} of ${total} after ${last}`);
        last = done;
      };
      const options = { maxRows: 1, maxOutputs: 1, onProgress };
      await (await open()).prepare(program, weightsFrom({ weight: bytes }), options);
      ensure(faults.length === 0, faults.slice(0, 3).join('; '));
    },
  },
];
