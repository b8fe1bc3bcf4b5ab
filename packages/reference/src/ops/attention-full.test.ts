import { describe, expect, it } from 'vitest';
import { expectCloseTo } from '../../test/close-to.js';
import { runOp } from '../../test/run-op.js';

const oneHead = { heads: 1, kvHeads: 1, scale: 1 };

describe('attention_full', () => {
  it('lets every row look at all rows, those after it included', async () => {
    // Scores 0 and ln 3 for both rows: weights 1/4 and 3/4.
    const operands = { q: [[1], [1]], k: [[0], [Math.log(3)]], v: [[4], [8]] };
    const { out } = await runOp('attention_full', operands, { attributes: oneHead });
    expectCloseTo(out!, [[7], [7]]);
  });

  it('keeps sequences apart, one that holds no numbers too', async () => {
    const operands = { q: [[0], [0], [0]], k: [[1], [2], [Number.NaN]], v: [[2], [4], [9]] };
    const { out } = await runOp('attention_full', operands, { attributes: oneHead, sequences: [2, 1] });
    expect(out).toEqual([[3], [3], [Number.NaN]]);
  });

  it('shares a key head among the query heads of its group', async () => {
    const operands = {
      q: [
        [0, 0, 0, 0],
        [0, 0, 0, 0],
      ],
      k: [
        [1, 1],
        [1, 1],
      ],
      v: [
        [1, 2, 10, 20],
        [3, 4, 30, 40],
      ],
    };
    const { out } = await runOp('attention_full', operands, {
      attributes: { heads: 4, kvHeads: 2, scale: 1 },
    });
    const mean = [2, 3, 2, 3, 20, 30, 20, 30];
    expect(out).toEqual([mean, mean]);
  });
});
