import { describe, expect, it } from 'vitest';
import { runOp } from '../../test/run-op.js';

/** Three experts of one output each: they multiply by (1, 0), (0, 1) and (10, 10). */
const weight = [[[1, 0]], [[0, 1]], [[10, 10]]];

describe('matmul_experts', () => {
  it('gives each slot the result of its expert, all reading the same row', async () => {
    const operands = {
      x: [
        [3, 4],
        [5, 6],
      ],
      weight,
      ids: [
        [2, 0],
        [1, 1],
      ],
    };
    const attributes = { inputGroups: 1, outputGroups: 2 };
    expect(await runOp('matmul_experts', operands, { attributes })).toEqual({
      out: [
        [70, 3],
        [6, 6],
      ],
    });
  });

  it('adds the slots weighted by the routing, each reading its own part of the row', async () => {
    const operands = { x: [[3, 4, 5, 6]], weight, ids: [[2, 1]], routing: [[0.5, 2]] };
    const attributes = { inputGroups: 2, outputGroups: 1 };
    // 0.5 * (30 + 40) + 2 * 6
    expect(await runOp('matmul_experts', operands, { attributes })).toEqual({ out: [[47]] });
  });

  it('counts the routing as 1 where it is absent, and passes it over where slots stay apart', async () => {
    const operands = { x: [[3, 4]], weight, ids: [[0, 1]] };
    const summed = { attributes: { inputGroups: 1, outputGroups: 1 } };
    expect(await runOp('matmul_experts', operands, summed)).toEqual({ out: [[7]] });
    const apart = { attributes: { inputGroups: 1, outputGroups: 2 } };
    const routing = [[5, 5]];
    expect(await runOp('matmul_experts', { ...operands, routing }, apart)).toEqual({ out: [[3, 4]] });
  });

  it('keeps what is no number in its row', async () => {
    const operands = {
      x: [
        [Number.NaN, 1],
        [3, 4],
      ],
      weight,
      ids: [[2], [2]],
    };
    const attributes = { inputGroups: 1, outputGroups: 1 };
    const { out } = await runOp('matmul_experts', operands, { attributes });
    expect(out).toEqual([[Number.NaN], [70]]);
  });
});
