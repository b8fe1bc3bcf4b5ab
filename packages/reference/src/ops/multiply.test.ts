import { expect, it } from 'vitest';
import { runOp } from '../../test/run-op.js';

it('multiply multiplies element by element', async () => {
  expect(await runOp('multiply', { x: [[1, 2, -3]], y: [[10, 0.5, 2]] })).toEqual({ out: [[10, 1, -6]] });
});
