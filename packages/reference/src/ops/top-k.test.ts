import { describe, expect, it } from 'vitest';
import { runOp } from '../../test/run-op.js';

describe('top_k', () => {
  it('gives values and indices, largest first, the smaller index among equals', async () => {
    const x = [
      [1, 7, 7, 3],
      [Number.NaN, -1, Number.NEGATIVE_INFINITY, -1],
    ];
    expect(await runOp('top_k', { x }, { attributes: { k: 3 } })).toEqual({
      values: [
        [7, 7, 3],
        [-1, -1, Number.NEGATIVE_INFINITY],
      ],
      ids: [
        [1, 2, 3],
        [1, 3, 2],
      ],
    });
  });

  it('is argmax where k is 1', async () => {
    const { ids } = await runOp(
      'top_k',
      {
        x: [
          [2, 9, 9],
          [5, 4, 3],
        ],
      },
      { attributes: { k: 1 } },
    );
    expect(ids).toEqual([[1], [0]]);
  });
});
