import { readFileSync } from 'node:fs';
import { weightFormats } from '@pocketllm/abi';
import reference from '@pocketllm/reference';
import { describe, expect, it } from 'vitest';
import { architectures, readHyperparameters } from '../../packages/runtime/src/architectures/index.js';
import { GgufModel, memorySource, readGguf } from '../../packages/runtime/src/gguf/index.js';
import { recordTokenProgram } from '../../packages/runtime/src/model/token-program.js';
import { type MetadataInput, type TensorInput, writeGguf } from '../support/gguf-writer.js';
import { hasShared, sharedPath } from '../support/shared.js';

type Rule = { readonly values: readonly number[] };
type TensorCase =
  | readonly [string, readonly number[], number, number]
  | readonly [string, readonly number[], Rule];

interface ModelCase {
  readonly metadata: readonly (readonly [string, string, string | number | boolean])[];
  readonly tensors: readonly TensorCase[];
  readonly logits: string;
}

interface Vectors {
  readonly tokens: readonly number[];
  readonly cases: Readonly<Record<string, ModelCase>>;
}

const file = 'facts/vectors/tiny-models.json';
const vectors: Vectors | undefined = hasShared(file)
  ? JSON.parse(readFileSync(sharedPath(file), 'utf8'))
  : undefined;
const runnable = Object.entries(vectors?.cases ?? {}).filter(([, { metadata }]) =>
  architectures.has(String(metadata.find(([key]) => key === 'general.architecture')?.[2])),
);

describe.skipIf(!vectors)(`tiny random models of every architecture (needs ../shared/${file})`, () => {
  it('cover each architecture that runs', () => {
    const covered = runnable.map(([, { metadata }]) => metadata[0]![2]);
    expect(new Set(covered)).toEqual(new Set(architectures.keys()));
  });

  // The recorded logits, of size 4 to 11, are f64 results; ours keep f32 between ops.
  it.each(runnable)('%s gives the recorded logits', async (_, modelCase) => {
    const { tokens } = vectors!;
    const logits = await logitsOf(buildModel(modelCase), tokens);
    const recorded = new Float32Array(Uint8Array.from(Buffer.from(modelCase.logits, 'base64')).buffer);
    expect(logits.length).toBe(recorded.length);
    const worst = logits.reduce((most, value, i) => Math.max(most, Math.abs(value - recorded[i]!)), 0);
    expect(worst).toBeLessThan(2e-5);
  });
});

async function logitsOf(bytes: Uint8Array, tokens: readonly number[]): Promise<Float32Array> {
  const source = memorySource(bytes);
  const model = new GgufModel([{ source, file: await readGguf(source) }]);
  const { program, weights } = recordTokenProgram(model, readHyperparameters(model), () => true);
  const backend = await reference.open('reference');
  const rows = tokens.length;
  const executable = await backend.prepare(program, weights, { maxRows: rows, maxOutputs: rows });
  const cache = await backend.createCache({ layers: program.caches, pages: 1, format: 'f32' });
  const positions = Int32Array.from(tokens, (_, row) => row);
  const { outputs } = await executable.run({
    rows,
    outputs: rows,
    sequences: [{ rows, start: 0, pages: [0], phase: 'prefill' }],
    inputs: { tokens: Int32Array.from(tokens), positions, selection: positions },
    cache,
    wanted: ['logits'],
  });
  await backend.close();
  return outputs.logits as Float32Array;
}

function buildModel({ metadata, tensors }: ModelCase): Uint8Array {
  const typed = metadata.map(([key, type, value]): [string, MetadataInput] => [
    key,
    type === 'f32' ? { type: 'float32', value } : value,
  ]);
  return writeGguf({ metadata: typed, tensors: tensors.map(buildTensor) });
}

/** The vectors' rule: mean + std * gauss, seeded by the FNV-1a hash of the name. */
function buildTensor([name, dimensions, mean, std]: TensorCase): TensorInput {
  const count = dimensions.reduce((product, size) => product * size, 1);
  const gauss = gaussians(fnv1a(name));
  const values =
    typeof mean === 'number'
      ? Float32Array.from({ length: count }, () => mean + std! * gauss())
      : Float32Array.from(mean.values);
  return { name, format: weightFormats.f32, dimensions, data: new Uint8Array(values.buffer) };
}

function fnv1a(text: string): number {
  return new TextEncoder()
    .encode(text)
    .reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193) >>> 0, 0x811c9dc5);
}

/** Mulberry32; the sum of twelve uniform numbers, less six, is nearly normal. */
function gaussians(seed: number): () => number {
  let state = seed;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return () => Array.from({ length: 12 }, uniform).reduce((sum, u) => sum + u, -6);
}
