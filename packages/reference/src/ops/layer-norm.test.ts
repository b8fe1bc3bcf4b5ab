import { describe, expect, it } from 'vitest';
import { expectCloseTo } from '../../test/close-to.js';
import { runOp } from '../../test/run-op.js';

describe('layer_norm', () => {
  it('centres, divides by the root of variance and epsilon, then applies gain and bias', async () => {
    // Mean 2, variance 1, so with epsilon 3 the root is 2.
    const operands = { x: [[1, 3]], gain: [2, 4], bias: [10, 20] };
    const { out } = await runOp('layer_norm', operands, { attributes: { epsilon: 3 } });
    expectCloseTo(out!, [[9, 22]]);
  });

  it('takes the variance of centred values, so a large mean does not swallow it', async () => {
    const operands = { x: [[1e6 - 1, 1e6 + 1]], gain: [1, 1], bias: [0, 0] };
    const { out } = await runOp('layer_norm', operands, { attributes: { epsilon: 1e-12 } });
    expectCloseTo(out!, [[-1, 1]]);
  });

  it('keeps what is no number in its row', async () => {
    const x = [
      [1, 3],
      [Number.NaN, 3],
    ];
    const { out } = await runOp(
      'layer_norm',
      { x, gain: [1, 1], bias: [0, 0] },
      { attributes: { epsilon: 3 } },
    );
    expect(out).toEqual([
      [-0.5, 0.5],
      [Number.NaN, Number.NaN],
    ]);
  });
});
