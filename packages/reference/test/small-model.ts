import {
  type Cache,
  type CacheFormat,
  type Program,
  recordProgram,
  type SequenceSlice,
} from '@pocketllm/abi';
import plugin from '../src/index.js';
import { memoryWeights } from './memory-weights.js';

export const vocabulary = 50;
const cols = 32;
const heads = 2;
const headSize = 32;

/** A language model of two layers with weights from a formula, as architectures record theirs. */
export const program: Program = recordProgram((p) => {
  const positions = p.input('positions', 'i32', ['rows']);
  const table = p.weight('table', 'f32', [vocabulary, cols]);
  let x = p.embedding(p.input('tokens', 'i32', ['rows']), table);
  for (const layer of [0, 1]) {
    const weight = (name: string, rows: number, inFeatures = cols) =>
      p.weight(`${layer}.${name}`, 'f32', [rows, inFeatures]);
    const norm = (name: string) =>
      p.rmsNorm(x, p.weight(`${layer}.${name}`, 'f32', [cols]), { epsilon: 1e-6 });
    const rope = { dimensions: headSize, base: 1e4, pairing: 'neox' } as const;
    const normed = norm('norm');
    const q = p.rope(p.matmul(normed, weight('q', heads * headSize)), positions, { ...rope, heads });
    const k = p.rope(p.matmul(normed, weight('k', headSize)), positions, { ...rope, heads: 1 });
    const v = p.matmul(normed, weight('v', headSize));
    const cache = p.cache(`layer.${layer}`, { kvHeads: 1, headSize, valueSize: headSize });
    const attended = p.attention(q, k, v, cache, { heads, kvHeads: 1, scale: headSize ** -0.5 });
    x = p.add(x, p.matmul(attended, weight('o', cols, heads * headSize)));
    const inner = norm('ffn_norm');
    const gated = p.gatedActivation(p.matmul(inner, weight('gate', 48)), p.matmul(inner, weight('up', 48)), {
      function: 'silu',
    });
    x = p.add(x, p.matmul(gated, weight('down', cols, 48)));
  }
  const logits = p.matmul(p.selectRows(x, p.input('selection', 'i32', ['outputs'])), table);
  p.output('logits', logits);
  p.output('best', p.topK(logits, { k: 1 }).ids);
});

export const weights = memoryWeights(
  Object.fromEntries(
    program.weights.map(({ name, dimensions }, index) => {
      const length = dimensions.reduce((product, size) => product * size, 1);
      return [name, Array.from({ length }, (_, i) => Math.sin(1 + index * 31 + i * 1.37) / 2)];
    }),
  ),
);

/** Tokens of one sequence for a step. */
export interface Piece {
  readonly tokens: readonly number[];
  readonly start: number;
  readonly pages: readonly number[];
}

/** A step that gives the logits of every row. */
export function stepOf(cache: Cache, ...pieces: readonly Piece[]) {
  const tokens = pieces.flatMap((piece) => piece.tokens);
  return {
    ...{ rows: tokens.length, outputs: tokens.length, cache },
    sequences: pieces.map(
      (piece): SequenceSlice => ({
        ...{ rows: piece.tokens.length, start: piece.start, pages: piece.pages },
        phase: piece.tokens.length > 1 ? 'prefill' : 'decode',
      }),
    ),
    inputs: {
      tokens: Int32Array.from(tokens),
      positions: Int32Array.from(pieces.flatMap(({ tokens: t, start }) => t.map((_, i) => start + i))),
      selection: Int32Array.from(tokens, (_, i) => i),
    },
  };
}

export async function openSmallModel(format: CacheFormat = 'f16', pages = 12) {
  const backend = await plugin.open('reference');
  const executable = await backend.prepare(program, weights, { maxRows: 100, maxOutputs: 100 });
  const cache = await backend.createCache({ layers: program.caches, pages, format });
  /** The logits of every row of these pieces in one step. */
  const logitsOf = async (...pieces: readonly Piece[]): Promise<Float32Array> =>
    (await executable.run(stepOf(cache, ...pieces))).outputs.logits as Float32Array;
  return { backend, executable, cache, logitsOf };
}
