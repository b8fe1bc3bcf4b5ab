import { describe, it } from 'vitest';
import { expectCloseTo } from '../../test/close-to.js';
import { runOp } from '../../test/run-op.js';

/** At 1, -1 and 0; from tables of the logistic function, tanh and erf. */
const known = {
  silu: [0.7310585786300049, -0.2689414213699951, 0],
  gelu_tanh: [0.8411919906082768, -0.15880800939172324, 0],
  gelu_erf: [0.8413447460685429, -0.15865525393145707, 0],
  gelu_quick: [0.845795765, -0.154204235, 0],
};

describe('activation', () => {
  it.each(Object.entries(known))('%s has its known values', async (name, values) => {
    const { out } = await runOp('activation', { x: [[1, -1, 0]] }, { attributes: { function: name } });
    expectCloseTo(out!, [values]);
  });

  it.each(Object.keys(known))('%s goes to x and to 0 far out', async (name) => {
    const { out } = await runOp('activation', { x: [[100, -100, 1e30]] }, { attributes: { function: name } });
    expectCloseTo(out!, [[100, 0, 1e30]]);
  });

  it('keeps what is no number in its place', async () => {
    const x = [[Number.NaN, 0, Number.POSITIVE_INFINITY]];
    const { out } = await runOp('activation', { x }, { attributes: { function: 'silu' } });
    expectCloseTo([out![0]!.slice(1)], [[0, Number.POSITIVE_INFINITY]]);
  });
});
