import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type WeightFormatName, weightFormats } from '@pocketllm/abi';
import reference, { decodeRow } from '@pocketllm/reference';
import { openModel } from '@pocketllm/runtime/node';
import { describe, expect, it } from 'vitest';
import { mixes } from '../../bench/model/mixes.mjs';
import { blockMaker } from '../../bench/model/random-blocks.mjs';
import { randomBytes } from '../../bench/model/random-bytes.mjs';
import { qwen3Small, tensorsOf } from '../../bench/model/shape.mjs';
import { writeModel } from '../../bench/model/write-model.mjs';
import { hasShared, sharedPath } from '../support/shared.js';

const matrices = tensorsOf(qwen3Small).filter(({ kind }) => kind !== 'norm');
const formatsOf = (mix: string) =>
  new Map(
    matrices.map(({ name, kind, layer }) => [name, mixes[mix]!.format(kind, layer, qwen3Small.layers)]),
  );
const everyFormat = new Set(Object.keys(mixes).flatMap((mix) => [...formatsOf(mix).values()]));

it.each([...everyFormat])('random blocks of %s have the spread that was asked for, around zero', (name) => {
  const blocks = Math.ceil(65536 / weightFormats[name].block.weights);
  const weights = decoded(name, blockMaker(name, 0.03)(randomBytes(1, 'a'), blocks));
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
  const square = weights.reduce((sum, weight) => sum + weight * weight, 0) / weights.length;
  // Codes from -8 to 7 have the mean -0.5.
  expect(Math.abs(mean)).toBeLessThan(0.004);
  expect(Math.sqrt(square)).toBeGreaterThan(0.027);
  expect(Math.sqrt(square)).toBeLessThan(0.034);
});

it.each([
  ['tq1_0', 3],
  ['tq2_0', 3],
] as const)('random blocks of %s hold the three weights that an encoder makes', (name, kinds) => {
  const weights = decoded(name, blockMaker(name, 0.03)(randomBytes(1, 'a'), 1));
  expect(new Set(weights.map((weight) => weight + 0)).size).toBe(kinds);
});

function decoded(name: WeightFormatName, bytes: Uint8Array): Float32Array {
  const { block } = weightFormats[name];
  const weights = new Float32Array((bytes.length / block.bytes) * block.weights);
  decodeRow(name, bytes, weights);
  return weights;
}

it('q4_k_m keeps the layers in q6_k that llama-quantize keeps in it', () => {
  const wide = [...formatsOf('q4_k_m')].filter(([, format]) => format === 'q6_k').map(([name]) => name);
  const layers = [0, 1, 2, 5, 8, 11, 14, 17, 20, 23, 24, 25, 26, 27];
  const kept = layers.flatMap((layer) => [`blk.${layer}.attn_v.weight`, `blk.${layer}.ffn_down.weight`]);
  expect(wide).toEqual(['token_embd.weight', ...kept]);
});

describe.skipIf(!hasShared('fixtures/qwen3-vocab.gguf'))('a written model (needs ../shared/fixtures)', () => {
  it('is the same for the same seed, and runs', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pocketllm-random-model-'));
    try {
      const [first, second] = [join(folder, 'first.gguf'), join(folder, 'second.gguf')];
      const vocabulary = sharedPath('fixtures/qwen3-vocab.gguf');
      const shape = {
        ...qwen3Small,
        layers: 2,
        embedding: 256,
        feedForward: 256,
        heads: 2,
        keyValueHeads: 1,
      };
      for (const path of [first, second]) await writeModel({ path, mix: 'q4_k_m', vocabulary, shape });
      expect(readFileSync(first).equals(readFileSync(second))).toBe(true);
      await using model = await openModel(first, { backend: reference, maxModelLen: 32 });
      const { formats, warnings } = model.info;
      expect({ formats: Object.keys(formats).sort(), warnings }).toEqual({
        formats: ['f32', 'q4_k', 'q6_k'],
        warnings: [],
      });
      const { tokens } = await model
        .complete('Hello', { temperature: 0, maxTokens: 2, ignoreEos: true })
        .result();
      expect(tokens).toHaveLength(2);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 60_000);
});
