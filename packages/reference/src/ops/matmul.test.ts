import { describe, expect, it } from 'vitest';
import { runOp } from '../../test/run-op.js';

const weight = [
  [1, 0, -1],
  [2, 2, 2],
];

describe('matmul', () => {
  it('multiplies each row by each row of the weight', async () => {
    const x = [
      [1, 2, 3],
      [0, 0, 1],
    ];
    expect(await runOp('matmul', { x, weight })).toEqual({
      out: [
        [-2, 12],
        [-1, 2],
      ],
    });
  });

  it('scales the sum before it adds the bias', async () => {
    const operands = { x: [[1, 2, 3]], weight, bias: [1, 1], weightScale: [0.5] };
    expect(await runOp('matmul', operands)).toEqual({ out: [[0, 7]] });
  });

  it('sums wider than single precision', async () => {
    const operands = { x: [[1e8, 1, -1e8]], weight: [[1, 1, 1]] };
    expect(await runOp('matmul', operands)).toEqual({ out: [[1]] });
  });

  it('reads weights in a block format', async () => {
    const bytes = new Uint8Array(34);
    bytes.set([0x00, 0x38, 1, 256 - 3]); // scale 0.5: weights 0.5, -1.5, 0, ...
    const x = [Array.from({ length: 32 }, (_, i) => (i < 2 ? i + 1 : 100))];
    const stored = { format: 'q8_0', dimensions: [1, 32], bytes } as const;
    expect(await runOp('matmul', { x, weight: stored })).toEqual({ out: [[-2.5]] });
  });

  it('keeps what is no number in its row, in every tile', async () => {
    const x = Array.from({ length: 5 }, (_, r) => [r === 2 ? Number.NaN : r, 1]);
    const ones = Array.from({ length: 9 }, () => [1, 1]);
    const { out } = await runOp('matmul', { x, weight: ones });
    expect(out).toEqual(x.map(([value]) => Array(9).fill(value! + 1)));
  });

  it('covers more rows and outputs than one block holds', async () => {
    const x = Array.from({ length: 35 }, (_, r) => [r, 1]);
    const many = Array.from({ length: 131 }, (_, o) => [1, o * 100]);
    const { out } = await runOp('matmul', { x, weight: many });
    expect(out).toEqual(x.map((_, r) => many.map((_, o) => r + o * 100)));
  });
});
