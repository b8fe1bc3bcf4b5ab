import { describe, expect, it } from 'vitest';
import { runOp } from '../../test/run-op.js';
import { encodeRow } from '../encoders/index.js';

describe('encode', () => {
  it('writes the blocks of each row, one row after the other', async () => {
    const x = [
      [1, -127, ...Array(30).fill(0)],
      [63.5, 0.5, ...Array(30).fill(0)],
    ];
    const { out } = await runOp('encode', { x }, { attributes: { format: 'q8_0' } });
    const first = [0x00, 0x3c, 1, 256 - 127, ...Array(30).fill(0)]; // scale 1
    const second = [0x00, 0x38, 127, 1, ...Array(30).fill(0)]; // scale 0.5
    expect(out).toEqual([[...first, ...second]]);
  });

  it('hands the importance of the columns to the encoder of the format', async () => {
    const row = Array.from({ length: 256 }, (_, i) => Math.sin(i * i));
    const importance = row.map((_, i) => (i < 16 ? 100 : 0.01));
    const { out } = await runOp('encode', { x: [row], importance }, { attributes: { format: 'q2_k' } });
    const expected = encodeRow('q2_k', Float32Array.from(row), Float32Array.from(importance));
    expect(out).toEqual([[...expected]]);
    expect(out).not.toEqual([[...encodeRow('q2_k', Float32Array.from(row))]]);
  });
});
