import { expect, it } from 'vitest';
import { runOp } from '../../test/run-op.js';

const forbidden = Number.NEGATIVE_INFINITY;

it('mask_logits forbids the tokens whose bit is not set, the 32nd and the words after it included', async () => {
  const x = [Array.from({ length: 34 }, (_, c) => c), Array.from({ length: 34 }, (_, c) => c)];
  const mask = [
    [1 | (1 << 31), 0b10],
    [-1, -1],
  ];
  const { out } = await runOp('mask_logits', { x, mask });
  expect(out![0]).toEqual(x[0]!.map((value) => ([0, 31, 33].includes(value) ? value : forbidden)));
  expect(out![1]).toEqual(x[1]);
});
