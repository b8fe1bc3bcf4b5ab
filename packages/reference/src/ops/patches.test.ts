import { describe, expect, it } from 'vitest';
import { runOp } from '../../test/run-op.js';

describe('patches', () => {
  it('cuts squares from left to right and top to bottom', async () => {
    const image = [
      [[1], [2], [3], [4]],
      [[5], [6], [7], [8]],
    ];
    expect(await runOp('patches', { image }, { attributes: { size: 2 } })).toEqual({
      out: [
        [1, 2, 5, 6],
        [3, 4, 7, 8],
      ],
    });
  });

  it('puts one channel after the other', async () => {
    const image = [
      [
        [1, 10],
        [2, 20],
      ],
      [
        [3, 30],
        [4, 40],
      ],
    ];
    expect(await runOp('patches', { image }, { attributes: { size: 2 } })).toEqual({
      out: [[1, 2, 3, 4, 10, 20, 30, 40]],
    });
    expect(await runOp('patches', { image }, { attributes: { size: 1 } })).toEqual({
      out: [
        [1, 10],
        [2, 20],
        [3, 30],
        [4, 40],
      ],
    });
  });
});
