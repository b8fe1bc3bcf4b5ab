import { expect, it } from 'vitest';
import { runOp } from '../../test/run-op.js';

it('select_rows keeps the selected rows, in the order of the selection', async () => {
  const x = [
    [1, 2],
    [Number.NaN, 4],
    [5, 6],
  ];
  expect(await runOp('select_rows', { x, selection: [2, 0] })).toEqual({
    out: [
      [5, 6],
      [1, 2],
    ],
  });
  expect(await runOp('select_rows', { x, selection: [] })).toEqual({ out: [] });
});
