import { describe, expect, it } from 'vitest';
import { runOp } from '../../test/run-op.js';

describe('embedding', () => {
  it('looks up the row of each id, in any order and as often as asked', async () => {
    const table = [
      [1, 2],
      [3, 4],
      [5, 6],
    ];
    expect(await runOp('embedding', { ids: [2, 0, 2], table })).toEqual({
      out: [
        [5, 6],
        [1, 2],
        [5, 6],
      ],
    });
  });

  it('decodes a table in a block format', async () => {
    // Two q8_0 blocks: scale 0.5 (half 0x3800), then scale 2 (half 0x4000).
    const bytes = new Uint8Array(68);
    bytes.set([0x00, 0x38, 1, 256 - 3], 0);
    bytes.set([0x00, 0x40, 127], 34);
    const table = { format: 'q8_0', dimensions: [2, 32], bytes } as const;
    const { out } = await runOp('embedding', { ids: [1, 0], table });
    expect(out![0]!.slice(0, 3)).toEqual([254, 0, 0]);
    expect(out![1]!.slice(0, 3)).toEqual([0.5, -1.5, 0]);
  });
});
