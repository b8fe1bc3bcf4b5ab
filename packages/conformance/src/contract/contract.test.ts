import { type OpDeclaration, ops, type WeightFormatName } from '@pocketllm/abi';
import reference from '@pocketllm/reference';
import { expect, it } from 'vitest';
import { type ContractContext, contract } from './index.js';
import { longStep } from './long-step.js';
import { dataOf, programOf } from './minimal-call.js';

/** A device that claims nothing at all. */
const { devices } = await reference.probe();
const device = { ...devices[0]!, capabilities: { ...devices[0]!.capabilities, ops: [] } };
const context = { plugin: reference, device, file: undefined } as unknown as ContractContext;

it('no name is used twice within a subject', () => {
  for (const [subject, tests] of Object.entries(contract)) {
    const names = tests.map(({ name }) => name);
    expect([subject, new Set(names).size]).toEqual([subject, names.length]);
  }
});

it('a device that claims nothing is still asked what needs no op, and told why not the rest', () => {
  const asked = Object.entries(contract).flatMap(([subject, tests]) =>
    tests.flatMap(({ name, skip }) => (skip?.(context) === undefined ? [`${subject}: ${name}`] : [])),
  );
  expect(asked.filter((test) => !test.startsWith('claims: '))).toEqual([
    'capabilities: the capabilities of the device are valid',
    'capabilities: the open device is the one that was probed',
    'lifetime: a backend closes twice',
    'memory: the report counts bytes',
  ]);
});

it('every op has a minimal call in every format', () => {
  for (const op of Object.values<OpDeclaration>(ops)) {
    for (const format of ['f32', 'q8_0', 'iq1_s'] satisfies WeightFormatName[]) {
      const program = programOf({ op, format });
      expect(program?.calls).toHaveLength(1);
      const { step, weights } = dataOf({ op, format });
      expect(Object.keys(weights).sort()).toEqual(program!.weights.map(({ name }) => name).sort());
      expect(Object.keys(step.inputs).sort()).toEqual(program!.inputs.map(({ name }) => name).sort());
    }
  }
});

it('sizes that do not fit together make no call', () => {
  expect(programOf({ op: ops.rope, sizes: { dimensions: 128 } })).toBeUndefined();
  expect(programOf({ op: ops.matmul, format: 'q4_k', sizes: { inFeatures: 32 } })).toBeUndefined();
});

it('a long step is long enough to be interrupted', async () => {
  const backend = await reference.open('reference');
  const step = await longStep(backend);
  expect(step.durationMs).toBeGreaterThanOrEqual(250);
  await step.close();
  await backend.close();
});
