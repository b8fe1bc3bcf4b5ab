import { checkCapabilities, programFromJson, recordProgram } from '@pocketllm/abi';
import type { CaseStep, Outputs } from '../cases/case.js';
import { firstDifference, judgeExactly, judgeFloats } from '../cases/judges.js';
import { refusal, sampleCase } from '../claims.js';
import { Random } from '../data/random.js';
import { randomBlocks } from '../data/random-blocks.js';
import { referenceBackend, solve } from '../oracle.js';
import { ensure } from '../verdict.js';
import type { ContractTest } from './contract-test.js';
import { programWidth, randomProgram } from './random-program.js';
import { needsSample, prepareProgram } from './subject.js';

/** A program that looks a token up in the table by which it scores tokens in the end, as small models do. */
const tied = recordProgram((p) => {
  const table = p.weight('table', 'f32', [20, 64]);
  p.output('logits', p.matmul(p.embedding(p.input('ids', 'i32', ['rows']), table), table));
});

const prefill = (rows: number) => [{ rows, start: 0, pages: [], phase: 'prefill' as const }];

function ensureClose(expected: Outputs, actual: Outputs, share: number, what: string): void {
  for (const [name, values] of Object.entries(expected)) {
    const largest = (values as Float32Array).reduce((a, b) => Math.max(a, Math.abs(b)), 0);
    const fault = judgeFloats(values as Float32Array, { rounds: 'x' }, () => ({ rounded: share * largest }))(
      actual[name]!,
    );
    ensure(fault === undefined, `${what}: ${name} ${fault}`);
  }
}

export const programs: readonly ContractTest[] = [
  {
    name: 'a program that came as JSON runs',
    skip: needsSample,
    async run({ open, device }) {
      const item = sampleCase(device)!;
      const { data, judges } = await solve(item);
      const program = programFromJson(JSON.parse(JSON.stringify(item.program)));
      const run = await prepareProgram(await open(), { ...item, program }, data.weights);
      const outputs = await run(data.steps[0]!);
      for (const [name, judge] of Object.entries(judges[0]!)) {
        const fault = judge(outputs[name]!);
        ensure(fault === undefined, `${name} ${fault}`);
      }
    },
  },
  {
    name: 'an input may be an output too, and comes back as it was',
    skip: needsSample,
    async run({ open, device }) {
      const item = sampleCase(device)!;
      const { data } = await solve(item);
      const [input] = item.program.inputs;
      const program = { ...item.program, outputs: { ...item.program.outputs, 'the input': input!.name } };
      const run = await prepareProgram(await open(), { ...item, program }, data.weights);
      const given = data.steps[0]!.inputs[input!.name]!;
      const back = (await run(data.steps[0]!))['the input']!;
      const fault = judgeExactly(given)(back);
      ensure(fault === undefined, `the input ${fault}`);
      ensure(back.buffer !== given.buffer, 'the result is the array of the caller itself, not a copy');
    },
  },
  {
    name: 'one weight may serve two calls',
    skip: ({ device }) => refusal(() => checkCapabilities(tied, device.capabilities, device.id)),
    async run({ open }) {
      const weights = { table: randomBlocks('f32', 20 * 64, new Random('tied')) };
      const item = { program: tied, maxRows: 4, maxOutputs: 1 };
      const step: CaseStep = {
        rows: 3,
        outputs: 0,
        sequences: prefill(3),
        inputs: { ids: Int32Array.of(19, 0, 7) },
      };
      const expected = await (await prepareProgram(await referenceBackend(), item, weights))(step);
      const actual = await (await prepareProgram(await open(), item, weights))(step);
      ensureClose(expected, actual, 2 ** -16, 'tied weights');
    },
  },
  {
    name: 'all sizes of a program may be fixed',
    skip: ({ device }) => refusal(() => checkCapabilities(fixed(4), device.capabilities, device.id)),
    async run({ open }) {
      const rows = 4;
      const random = new Random('fixed');
      const item = { program: fixed(rows), maxRows: 1, maxOutputs: 1 };
      const weights = { gain: randomBlocks('f32', 64, random) };
      const step: CaseStep = { rows: 0, outputs: 0, sequences: [], inputs: { x: random.floats(rows * 64) } };
      const expected = await (await prepareProgram(await referenceBackend(), item, weights))(step);
      const actual = await (await prepareProgram(await open(), item, weights))(step);
      ensureClose(expected, actual, 2 ** -16, 'fixed sizes');
    },
  },
  {
    name: 'random programs keep every value as long as it is needed',
    skip: ({ device }) => (randomProgram(device, '') ? undefined : 'the device claims too few ops'),
    async run({ open, device }) {
      const backend = await open();
      for (let seed = 0; seed < 16; seed++) {
        const { program, weights } = randomProgram(device, `random program ${seed}`)!;
        const random = new Random(`inputs ${seed}`);
        const rows = 1 + (seed % 5);
        const inputs = { x: random.floats(rows * programWidth), y: random.floats(rows * programWidth) };
        const step: CaseStep = { rows, outputs: 0, sequences: prefill(rows), inputs };
        const item = { program, maxRows: rows + (seed % 3), maxOutputs: 1 };
        const expected = await (await prepareProgram(await referenceBackend(), item, weights))(step);
        const run = await prepareProgram(backend, item, weights);
        const actual = await run(step);
        ensureClose(expected, actual, 2 ** -9, `program ${seed}`);
        const again = await run({ ...step, wanted: ['last'] });
        const at = firstDifference(actual.last!, again.last!);
        const exact = backend.device.capabilities.bitExact.includes('batch');
        ensure(!exact || at === -1, `program ${seed}: element ${at} differs where fewer outputs are wanted`);
      }
    },
  },
];

/** An encoder of a fixed number of rows, as vision models have. */
function fixed(rows: number) {
  return recordProgram((p) => {
    const x = p.input('x', 'f32', [rows, 64]);
    const normed = p.rmsNorm(x, p.weight('gain', 'f32', [64]), { epsilon: 1e-6 });
    p.output('out', p.add(x, normed));
  });
}
