import { type Program, recordProgram, type Weight, type WeightFormatName } from '@pocketllm/abi';
import { gains } from '../data/filler.js';
import { Random } from '../data/random.js';
import { randomBlocks } from '../data/random-blocks.js';

/** A model of two layers, as large as one block of the largest formats needs. */
export interface TinyModel {
  readonly format: WeightFormatName;
  /** Inputs: tokens, positions [rows], selection [outputs]. Outputs: logits, next (the largest one's id). */
  readonly program: Program;
  /** Random by the seed, made when they are first asked for. */
  weights(): Readonly<Record<string, Uint8Array>>;
}

export const vocabulary = 32;
const hidden = 256;
const heads = 4;
const kvHeads = 2;
const headSize = 64;
const layers = 2;
const epsilon = 1e-6;

export function tinyModel(format: WeightFormatName, seed: string): TinyModel {
  const program = recordModel(format);
  let weights: Record<string, Uint8Array> | undefined;
  return {
    format,
    program,
    weights() {
      weights ??= randomWeights(program, `tiny model ${format} ${seed}`);
      return weights;
    },
  };
}

/** Norms get gains, matrices random blocks. */
function randomWeights(program: Program, seed: string): Record<string, Uint8Array> {
  const random = new Random(seed);
  const bytesOf = ({ format, dimensions }: Weight) => {
    const count = dimensions.reduce((a, b) => a * b, 1);
    if (dimensions.length === 2) return randomBlocks(format, count, random);
    return new Uint8Array(gains({ count, random, sizes: {}, attributes: {}, values: {} }).buffer);
  };
  return Object.fromEntries(program.weights.map((weight) => [weight.name, bytesOf(weight)]));
}

/** The program of the model, with all matrices in one format and norms in f32. */
function recordModel(format: WeightFormatName): Program {
  return recordProgram((p) => {
    const matrix = (name: string, rows: number, cols: number) => p.weight(name, format, [rows, cols]);
    const gain = (name: string, size: number) => p.weight(name, 'f32', [size]);
    const positions = p.input('positions', 'i32', ['rows']);
    const rope = { dimensions: headSize, base: 1e4, pairing: 'neox' } as const;
    let x = p.embedding(p.input('tokens', 'i32', ['rows']), matrix('embedding', vocabulary, hidden));
    for (let i = 0; i < layers; i++) {
      const name = (part: string) => `layer.${i}.${part}`;
      const normed = p.rmsNorm(x, gain(name('attention norm'), hidden), { epsilon });
      const head = (part: string, count: number) => {
        const projected = p.matmul(normed, matrix(name(part), count * headSize, hidden));
        const scaled = p.rmsNorm(projected, gain(name(`${part} norm`), headSize), { epsilon, groups: count });
        return p.rope(scaled, positions, { ...rope, heads: count });
      };
      const v = p.matmul(normed, matrix(name('v'), kvHeads * headSize, hidden));
      const cache = p.cache(name('cache'), { kvHeads, headSize, valueSize: headSize });
      const attention = { heads, kvHeads, scale: headSize ** -0.5 };
      const attended = p.attention(head('q', heads), head('k', kvHeads), v, cache, attention);
      x = p.add(x, p.matmul(attended, matrix(name('o'), hidden, heads * headSize)));
      const wide = p.rmsNorm(x, gain(name('feed-forward norm'), hidden), { epsilon });
      const gate = p.matmul(wide, matrix(name('gate'), hidden, hidden));
      const up = p.matmul(wide, matrix(name('up'), hidden, hidden));
      x = p.add(
        x,
        p.matmul(p.gatedActivation(gate, up, { function: 'silu' }), matrix(name('down'), hidden, hidden)),
      );
    }
    const selected = p.selectRows(x, p.input('selection', 'i32', ['outputs']));
    const last = p.rmsNorm(selected, gain('output norm', hidden), { epsilon });
    const logits = p.matmul(last, matrix('output', vocabulary, hidden));
    p.output('logits', logits);
    p.output('next', p.topK(logits, { k: 1 }).ids);
  });
}
