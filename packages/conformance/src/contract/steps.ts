import type { Cache } from '@pocketllm/abi';
import type { CaseStep, Outputs } from '../cases/case.js';
import { firstDifference } from '../cases/judges.js';
import { sampleCase } from '../claims.js';
import { solve } from '../oracle.js';
import { ensure, ensureFails } from '../verdict.js';
import type { ContractTest } from './contract-test.js';
import { needsCache, needsSample, prepareCached, prepareProgram, prepareSample } from './subject.js';

function ensureEqual(expected: Outputs, actual: Outputs, when: string): void {
  for (const [name, values] of Object.entries(expected)) {
    ensure(actual[name] !== undefined, `${when}: ${name} is missing`);
    const at = firstDifference(values, actual[name]);
    ensure(at === -1, `${when}: element ${at} of ${name} is ${actual[name][at]}, and was ${values[at]}`);
  }
}

/** A step with as many rows as `rows`: those of the given one over and over. */
function stretched(step: CaseStep, rows: number, outputs: number): CaseStep {
  const inputs = Object.entries(step.inputs).map(([name, values]) => {
    const length = (values.length / step.rows) * rows;
    const Kind = values.constructor as new (from: ArrayLike<number>) => typeof values;
    return [name, new Kind(Array.from({ length }, (_, i) => values[i % values.length]!))] as const;
  });
  const sequences = [{ ...step.sequences[0]!, rows }];
  return { rows, outputs, sequences, inputs: Object.fromEntries(inputs) };
}

/** The step with other signs of its floats. */
function negated(step: CaseStep): CaseStep {
  const inputs = Object.entries(step.inputs).map(([name, values]) => [
    name,
    values instanceof Float32Array ? values.map((value) => -value) : values,
  ]);
  return { ...step, inputs: Object.fromEntries(inputs) };
}

const needsRows: NonNullable<ContractTest['skip']> = (context) => {
  const item = sampleCase(context.device);
  if (!item) return needsSample(context);
  const byRow = item.program.inputs.every(({ dimensions }) => dimensions[0] === 'rows');
  return byRow ? undefined : 'the device claims no op that works row by row';
};

export const steps: readonly ContractTest[] = [
  {
    name: 'a step of more rows than were prepared for is STEP_INVALID',
    skip: needsRows,
    async run({ open }) {
      const subject = await prepareSample(await open());
      const [first] = subject.data.steps;
      const tooLong = stretched(first!, subject.item.maxRows + 1, 0);
      await ensureFails(subject.run(tooLong), `${tooLong.rows} rows`, 'STEP_INVALID');
      await subject.check('after a step that was refused');
    },
  },
  {
    name: 'a step of more outputs than were prepared for is STEP_INVALID',
    skip: needsRows,
    async run({ open }) {
      const subject = await prepareSample(await open());
      const outputs = subject.item.maxOutputs + 1;
      const step = { ...subject.data.steps[0]!, outputs };
      await ensureFails(subject.run(step), `${outputs} outputs`, 'STEP_INVALID');
    },
  },
  {
    name: 'a step of as many rows as were prepared for runs',
    skip: needsRows,
    async run({ open }) {
      const subject = await prepareSample(await open());
      const { maxRows } = subject.item;
      const [first] = subject.data.steps;
      const outputs = await subject.run(stretched(first!, maxRows, 0));
      // The rows of the first step come first, and are judged by what is right for it.
      const shorter = Object.entries(outputs).map(([name, values]) => [
        name,
        values.subarray(0, (values.length / maxRows) * first!.rows),
      ]);
      subject.judge(0, Object.fromEntries(shorter), `in a step of ${maxRows} rows`);
    },
  },
  {
    name: 'results stay as they are when further steps run',
    skip: needsRows,
    async run({ open }) {
      const subject = await prepareSample(await open());
      const [first] = subject.data.steps;
      const before = await subject.run();
      await subject.run(negated(stretched(first!, subject.item.maxRows, 0)));
      subject.judge(0, before, 'after another step');
      await subject.prepared.executable.release();
      subject.judge(0, before, 'after release');
    },
  },
  {
    name: 'a step gives what it is asked for, and no more',
    skip: needsSample,
    async run({ open, device }) {
      const item = sampleCase(device)!;
      const { data } = await solve(item);
      const backend = await open();
      const [output] = Object.keys(item.program.outputs);
      const program = {
        ...item.program,
        outputs: { ...item.program.outputs, 'the same': item.program.outputs[output!]! },
      };
      const run = await prepareProgram(backend, { ...item, program }, data.weights);
      const both = await run(data.steps[0]!);
      ensureEqual({ [output!]: both[output!]! }, { [output!]: both['the same']! }, 'a value with two names');
      const one = await run({ ...data.steps[0]!, wanted: ['the same'] });
      ensure(Object.keys(one).join() === 'the same', `one output was wanted, and ${Object.keys(one)} came`);
      ensureEqual({ 'the same': both[output!]! }, one, 'one output of two');
    },
  },
  {
    name: 'a step that wants nothing writes the cache',
    skip: needsCache,
    async run({ open }) {
      const subject = await prepareCached(await open());
      const { steps } = subject.data;
      const last = steps.length - 1;
      for (const step of steps.slice(0, last)) await subject.run({ ...step, wanted: [] });
      subject.judge(last, await subject.run(steps[last]!), 'after steps that wanted nothing');
    },
  },
  {
    name: 'steps that are not waited for run in the order of their calls',
    skip: needsCache,
    async run({ open }) {
      const subject = await prepareCached(await open());
      const results = await Promise.all(subject.data.steps.map((step) => subject.run(step)));
      for (const [step, outputs] of results.entries()) {
        subject.judge(step, outputs, `step ${step} of several at once`);
      }
    },
  },
  {
    name: 'two executables and two caches on one backend do not mix',
    skip: needsCache,
    async run({ open }) {
      const backend = await open();
      const [one, other] = [await prepareCached(backend), await prepareCached(backend)];
      const sample = await prepareSample(backend);
      for (const index of one.data.steps.keys()) {
        const step = one.data.steps[index]!;
        // The other sees the same sequence with other signs: its cache must stay its own.
        const negative = negated(step);
        const [outputs] = await Promise.all([one.run(step), other.run(negative), sample.run()]);
        one.judge(index, outputs, 'beside another executable');
      }
      await other.prepared.close();
      await one.check('after another was released');
      await sample.check('after another was released');
    },
  },
  {
    name: 'a cache of another backend is STEP_INVALID',
    skip: needsCache,
    async run({ open }) {
      const subject = await prepareCached(await open());
      const { spec } = subject.prepared.cache!;
      const foreign: Cache = {
        spec,
        copyPage: async () => {},
        readPage: async () => new Uint8Array(),
        writePage: async () => {},
        close: async () => {},
      };
      const { executable } = subject.prepared;
      const run = executable.run({ ...subject.data.steps[0]!, cache: foreign });
      await ensureFails(run, 'a step with an object that is no cache of the backend', 'STEP_INVALID');
    },
  },
];
