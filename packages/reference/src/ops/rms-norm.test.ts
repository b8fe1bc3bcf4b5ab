import { describe, expect, it } from 'vitest';
import { expectCloseTo } from '../../test/close-to.js';
import { runOp } from '../../test/run-op.js';

describe('rms_norm', () => {
  it('divides by the root of mean square and epsilon, then applies the gain', async () => {
    // Mean square 12.5, so with epsilon 12.5 the root is 5.
    const { out } = await runOp('rms_norm', { x: [[3, 4]], gain: [1, 2] }, { attributes: { epsilon: 12.5 } });
    expectCloseTo(out!, [[0.6, 1.6]]);
  });

  it('norms each group on its own, with one gain for all', async () => {
    const x = [[3, 4, 0, 0]];
    const attributes = { epsilon: 12.5, groups: 2 };
    const { out } = await runOp('rms_norm', { x, gain: [1, 2] }, { attributes });
    expectCloseTo(out!, [[0.6, 1.6, 0, 0]]);
  });

  it('keeps squares past the range of single precision', async () => {
    const { out } = await runOp(
      'rms_norm',
      { x: [[1e30, -1e30]], gain: [1, 1] },
      { attributes: { epsilon: 1e-6 } },
    );
    expectCloseTo(out!, [[1, -1]]);
  });

  it('keeps what is no number in its row', async () => {
    const x = [
      [Number.NaN, 1],
      [3, 4],
      [Number.POSITIVE_INFINITY, 1],
    ];
    const { out } = await runOp('rms_norm', { x, gain: [1, 1] }, { attributes: { epsilon: 12.5 } });
    expect(out![0]).toEqual([Number.NaN, Number.NaN]);
    expectCloseTo([out![1]!], [[0.6, 0.8]]);
  });
});
