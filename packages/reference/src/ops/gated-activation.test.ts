import { describe, it } from 'vitest';
import { expectCloseTo } from '../../test/close-to.js';
import { runOp } from '../../test/run-op.js';

describe('gated_activation', () => {
  it.each([
    ['silu', 0.7310585786300049],
    ['gelu_tanh', 0.8411919906082768],
  ])('multiplies %s of the gate by the other half', async (name, atOne) => {
    const operands = { gate: [[1, 0, 1]], up: [[2, 5, -1]] };
    const { out } = await runOp('gated_activation', operands, { attributes: { function: name } });
    expectCloseTo(out!, [[2 * atOne, 0, -atOne]]);
  });
});
