import { describe, expect, it } from 'vitest';
import { runOp } from '../../test/run-op.js';

const x = [
  [1, 10],
  [2, 20],
  [6, 60],
  [7, Number.NaN],
];
const ranges = [
  [0, 3],
  [2, 3],
];

describe('pool', () => {
  it.each([
    ['mean', [3, 30]],
    ['first', [1, 10]],
    ['last', [6, 60]],
  ])('takes the %s of each range', async (name, row) => {
    const { out } = await runOp('pool', { x, ranges }, { attributes: { function: name } });
    expect(out).toEqual([row, [6, 60]]);
  });
});
