import { describe, expect, it } from 'vitest';
import { expectCloseTo } from '../../test/close-to.js';
import { runOp } from '../../test/run-op.js';

/** Softmax of these logits is (1, 2, 4, 1) / 8. */
const logits = [[0, Math.log(2), Math.log(4), 0]];

describe('route_experts', () => {
  it('gives the largest probabilities, times the scale', async () => {
    const attributes = { slots: 2, normalize: 'none', scale: 8 };
    const { ids, weights } = await runOp('route_experts', { logits }, { attributes });
    expect(ids).toEqual([[2, 1]]);
    expectCloseTo(weights!, [[4, 2]]);
  });

  it('divides by their sum where asked', async () => {
    const attributes = { slots: 2, normalize: 'sum' };
    const { weights } = await runOp('route_experts', { logits }, { attributes });
    expectCloseTo(weights!, [[2 / 3, 1 / 3]]);
  });

  it('takes the smaller index among equals', async () => {
    const attributes = { slots: 3, normalize: 'none' };
    const { ids } = await runOp('route_experts', { logits: [[1, 2, 1, 2]] }, { attributes });
    expect(ids).toEqual([[1, 3, 0]]);
  });

  it('keeps large logits finite, and what is no number in its row', async () => {
    const rows = [
      [1e30, 0, -1e30],
      [Number.NaN, 0, 0],
      [0, 0, 0],
    ];
    const attributes = { slots: 1, normalize: 'sum' };
    const { ids, weights } = await runOp('route_experts', { logits: rows }, { attributes });
    expect(ids).toEqual([[0], [0], [0]]);
    expect(weights).toEqual([[1], [Number.NaN], [1]]);
  });
});
