import { recordProgram } from '@pocketllm/abi';
import { describe, expect, it } from 'vitest';
import { makePlan } from './plan.js';

const program = recordProgram((p) => {
  const x = p.input('x', 'f32', ['rows', 64]);
  const positions = p.input('positions', 'i32', ['rows']);
  const rope = { heads: 1, dimensions: 64, base: 1e4, pairing: 'neox' } as const;
  const q = p.rope(p.matmul(x, p.weight('q', 'q8_0', [64, 64])), positions, rope);
  const k = p.rope(p.matmul(x, p.weight('k', 'q4_0', [64, 64])), positions, rope);
  p.weight('unused', 'f32', [64, 64]);
  p.output('q', q);
  p.output('k', k);
});

const plan = (quantizesActivations: boolean) =>
  makePlan(
    program,
    { rows: 4, outputs: 0 },
    { device: 'test', quantizesActivations, splitsActivations: false },
  );

const namesOf = (quantizesActivations: boolean) => [...plan(quantizesActivations).values.keys()];

describe('makePlan', () => {
  it('rounds activations once for all matrices that read them, where the device does so', () => {
    expect(namesOf(true).filter((name) => name.startsWith('rounded'))).toEqual(['rounded 64 x']);
    expect(namesOf(false).filter((name) => name.startsWith('rounded'))).toEqual([]);
  });

  it('forms the angles of a rotation once for all calls with the same positions', () => {
    expect(namesOf(true).filter((name) => name.startsWith('rope angles'))).toHaveLength(1);
  });

  it('leaves out weights that no call reads', () => {
    expect([...plan(true).weights.keys()]).toEqual(['q', 'k']);
  });

  it('runs only what the wanted outputs rest on', () => {
    const { opsFor } = plan(true);
    const { q, k } = program.outputs;
    expect([...opsFor([q!, k!]).ops]).toEqual([0, 1, 2, 3, 4, 5]);
    // Not the matrix and the rotation of q.
    expect([...opsFor([k!]).ops]).toEqual([0, 2, 4, 5]);
    expect([...opsFor([]).ops]).toEqual([]);
  });
});
