import { type CacheFormat, recordProgram, type Step } from '@pocketllm/abi';
import plugin from '../src/index.js';
import { memoryWeights } from './memory-weights.js';

interface Shape {
  readonly heads?: number;
  readonly kvHeads?: number;
  readonly headSize?: number;
  readonly valueSize?: number;
  readonly scale?: number;
  readonly window?: number;
  readonly softcap?: number;
  readonly sinks?: readonly number[];
  readonly format?: CacheFormat;
}

/** Rows of one sequence for one step of attention alone. */
export interface Rows {
  readonly start?: number;
  readonly pages: readonly number[];
  readonly q: readonly (readonly number[])[];
  readonly k: readonly (readonly number[])[];
  readonly v: readonly (readonly number[])[];
}

/** One attention op over a cache of 8 pages. `attend` runs one step and gives its rows. */
export async function openAttention(shape: Shape = {}) {
  const { heads = 1, kvHeads = 1, headSize = 1, valueSize = 1, scale = 1, window = 0, softcap = 0 } = shape;
  const { sinks, format = 'f32' } = shape;
  const program = recordProgram((p) => {
    const q = p.input('q', 'f32', ['rows', heads * headSize]);
    const k = p.input('k', 'f32', ['rows', kvHeads * headSize]);
    const v = p.input('v', 'f32', ['rows', kvHeads * valueSize]);
    const layer = p.cache('layer.0', { kvHeads, headSize, valueSize });
    const options = {
      heads,
      kvHeads,
      scale,
      window,
      softcap,
      sinks: sinks && p.weight('sinks', 'f32', [heads]),
    };
    p.output('out', p.attention(q, k, v, layer, options));
  });
  const backend = await plugin.open('reference');
  const executable = await backend.prepare(program, memoryWeights({ sinks: sinks ?? [] }), {
    maxRows: 100,
    maxOutputs: 0,
  });
  const cache = await backend.createCache({ layers: program.caches, pages: 8, format });

  async function attend(...sequences: readonly Rows[]): Promise<number[][]> {
    const join = (name: 'q' | 'k' | 'v') => Float32Array.from(sequences.flatMap((each) => each[name].flat()));
    const rows = sequences.reduce((sum, { q }) => sum + q.length, 0);
    const step: Step = {
      rows,
      outputs: 0,
      cache,
      sequences: sequences.map(({ q, start = 0, pages }) => ({
        rows: q.length,
        start,
        pages,
        phase: 'prefill',
      })),
      inputs: { q: join('q'), k: join('k'), v: join('v') },
    };
    const { out } = (await executable.run(step)).outputs;
    const size = heads * valueSize;
    return Array.from({ length: rows }, (_, r) => [...out!.slice(r * size, (r + 1) * size)]);
  }

  return { attend, cache };
}
