import { expect, it } from 'vitest';
import { runOp } from '../../test/run-op.js';

it('add adds element by element', async () => {
  const x = [
    [1, 2],
    [3, Number.NaN],
  ];
  const y = [
    [10, -2],
    [0.5, 1],
  ];
  expect(await runOp('add', { x, y })).toEqual({
    out: [
      [11, 0],
      [3.5, Number.NaN],
    ],
  });
});
