import { expect, it } from 'vitest';
import type { NativeOp } from './records.js';
import { startsOfWaves } from './waves.js';

const op = (inputs: string[], outputs: string[], kind: NativeOp['kind'] = 'range'): NativeOp => ({
  ...{ kind, op: 'add', format: 0 },
  ...{ inputs, outputs },
});

/** Each letter stands at a place of its own, capitals at that of their small letter. */
const rangeOf = (name: string) => {
  const from = name.toLowerCase().charCodeAt(0) * 10;
  return name === '-' ? undefined : { from, to: from + 10 };
};

const starts = (...ops: NativeOp[]) => [...startsOfWaves(ops, [...ops.keys()], rangeOf)];

it('joins ops that read the same value, as the matrices of q, k and v do', () => {
  expect(starts(op(['x', '-'], ['q']), op(['x', '-'], ['k']), op(['x', '-'], ['v']))).toEqual([0, 0, 0]);
});

it('starts a wave at an op that reads what the wave writes', () => {
  expect(starts(op(['x'], ['y']), op(['y'], ['z']), op(['x'], ['w']))).toEqual([0, 1, 0]);
});

it('starts a wave at an op that writes over what the wave reads or writes', () => {
  expect(starts(op(['x'], ['y']), op(['z'], ['X']))).toEqual([0, 1]);
  expect(starts(op(['x'], ['y']), op(['z'], ['Y']))).toEqual([0, 1]);
});

it('starts a wave at ops that share memory between their stages', () => {
  expect(starts(op(['x'], ['y'], 'matmulExperts'), op(['x'], ['z'], 'matmulExperts'))).toEqual([1, 1]);
});
