import { recordProgram } from '@pocketllm/abi';
import { describe, expect, it } from 'vitest';
import { workOfStep } from './step-work.js';

const size = 64;
const vocabulary = 100;

/** Embedding, attention with one head over itself, and the output matrix in q8_0. */
const program = recordProgram((p) => {
  const tokens = p.input('tokens', 'i32', ['rows']);
  const selection = p.input('selection', 'i32', ['outputs']);
  const x = p.embedding(tokens, p.weight('table', 'f32', [vocabulary, size]));
  const layer = p.cache('layer', { kvHeads: 1, headSize: size, valueSize: size });
  const attended = p.attention(x, x, x, layer, { heads: 1, kvHeads: 1, scale: 1 });
  const chosen = p.selectRows(attended, selection);
  p.output('logits', p.matmul(chosen, p.weight('output', 'q8_0', [vocabulary, size])));
});

const work = (shape: Partial<Parameters<typeof workOfStep>[2]>) =>
  workOfStep(program, 'f16', {
    sequences: 1,
    rows: 1,
    start: 0,
    outputs: 1,
    wanted: ['logits'],
    ...shape,
  });

describe('workOfStep', () => {
  it('counts what each op declares, and the positions that a row attends to', () => {
    // Attention 2 * (64 + 64) * context, matmul 2 * 64 * 100.
    expect(work({}).flops).toBe(256 + 12_800);
    expect(work({ start: 9 }).flops).toBe(2560 + 12_800);
    // Rows 1, 2 and 3 of a prompt attend to 1, 2 and 3 positions.
    expect(work({ rows: 3 }).flops).toBe(256 * 6 + 12_800);
    expect(work({ sequences: 2, outputs: 2, start: 9 }).flops).toBe(2 * (2560 + 12_800));
  });

  it('reads each weight once, whatever the number of rows, and the cache of each sequence', () => {
    const weights = vocabulary * 2 * 34;
    const row = 4 * size;
    // Embedding: id, a row of the table, out. Attention: q, k, v, out. Selection: id, x, out. Matmul: x, out.
    const values = (rows: number) => 4 * rows + 2 * row * rows + 4 * row * rows;
    const outputs = (count: number, rows: number) =>
      4 * count + row * (rows + count) + (row + 4 * vocabulary) * count;
    const cache = (positions: number) => positions * 2 * size * 2;
    expect(work({ start: 9 }).bytes).toBe(weights + values(1) + outputs(1, 1) + cache(10));
    expect(work({ sequences: 2, outputs: 2, start: 9 }).bytes).toBe(
      weights + values(2) + outputs(2, 2) + 2 * cache(10),
    );
  });

  it('leaves out what nothing wanted needs', () => {
    expect(work({ rows: 3, wanted: [] }).flops).toBe(256 * 6);
  });
});
