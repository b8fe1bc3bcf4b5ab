import { describe, it } from 'vitest';
import { expectCloseTo } from '../../test/close-to.js';
import { runOp } from '../../test/run-op.js';

describe('softcap', () => {
  it('is cap * tanh(x / cap)', async () => {
    const { out } = await runOp('softcap', { x: [[0, 30, -30]] }, { attributes: { cap: 30 } });
    expectCloseTo(out!, [[0, 30 * 0.7615941559557649, -30 * 0.7615941559557649]]);
  });

  it('bounds what is without end', async () => {
    const x = [[Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e38]];
    const { out } = await runOp('softcap', { x }, { attributes: { cap: 50 } });
    expectCloseTo(out!, [[50, -50, 50]]);
  });
});
