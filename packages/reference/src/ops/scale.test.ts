import { expect, it } from 'vitest';
import { runOp } from '../../test/run-op.js';

it('scale multiplies every element by the factor, and rounds once', async () => {
  const { out } = await runOp('scale', { x: [[1, -2, 3]] }, { attributes: { factor: 0.1 } });
  expect(out).toEqual([[0.1, -0.2, 3 * 0.1].map(Math.fround)]);
});
