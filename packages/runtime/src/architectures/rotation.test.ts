import { ProgramBuilder } from '@pocketllm/abi';
import { describe, expect, it } from 'vitest';
import { metadataOf } from '../../../../tests/support/hand-made-vocabulary.js';
import { GgufModel, MetadataView, memorySource } from '../gguf/index.js';
import type { Hyperparameters } from './hyperparameters.js';
import { ModelTensors } from './model-tensors.js';
import { rotation } from './rotation.js';

type Values = Readonly<Record<string, number | string>>;

/** The rotation of a model with heads of 8 values and these keys, and the frequency factors in it. */
async function rotationOf(keys: Values) {
  const named = Object.entries(keys).map(([name, value]) => [`test.rope.${name}`, value] as const);
  const metadata = await metadataOf(Object.fromEntries([['test.context_length', 64], ...named]));
  const source = memorySource(new Uint8Array());
  const common = { version: 3, dataOffset: 0, alignment: 32, warnings: [] };
  const model = new GgufModel([{ source, file: { ...common, metadata, tensors: new Map() } }]);
  const tensors = new ModelTensors(new ProgramBuilder(), model);
  const sizes = {
    view: new MetadataView(metadata),
    key: (name: string) => `test.${name}`,
    headSize: 8,
    contextLength: 64,
  } as Hyperparameters;
  const found = rotation('neox', sizes, tensors);
  if (!('frequencyFactors' in found)) return found;
  const bytes = await tensors.read(found.frequencyFactors!.name);
  return { ...found, frequencyFactors: Array.from(new Float32Array(bytes.slice().buffer)) };
}

const yarn = { 'scaling.type': 'yarn', 'scaling.factor': 4 };

describe('rotation', () => {
  it('turns whole heads by the usual base where the file says nothing', async () => {
    expect(await rotationOf({})).toEqual({ dimensions: 8, base: 10_000, pairing: 'neox' });
  });

  it('divides positions by a linear factor, by its newer and its older key', async () => {
    for (const key of ['scaling.factor', 'scale_linear']) {
      expect(await rotationOf({ [key]: 4 })).toMatchObject({ scale: 0.25 });
    }
  });

  it('scales nothing where the type is none', async () => {
    expect(await rotationOf({ 'scaling.type': 'none', 'scaling.factor': 4 })).not.toHaveProperty('scale');
  });

  // Pairs make 64 / (2 pi 10000^(i/4)) turns in the original context of 64. One turn lies at pair 1.008, which
  // is rounded up to 2; 32 turns lie below pair 0. So the ramp goes over pairs 0 to 2: 1, 1/2 and 0 are kept.
  it('stretches slow pairs, keeps fast ones and mixes those between by YaRN', async () => {
    const { frequencyFactors, ...rest } = (await rotationOf(yarn)) as { frequencyFactors: number[] };
    [1, 1.6, 4, 4].forEach((factor, pair) => {
      expect(frequencyFactors[pair]).toBeCloseTo(factor, 6);
    });
    expect(rest).toMatchObject({ magnitude: 0.1 * Math.log(4) + 1 });
  });

  it.each<[string, Values]>([
    ['rope.dimension_count', { dimension_count: 5 }],
    ['rope.dimension_count', { dimension_count: 16 }],
    ['rope.freq_base', { freq_base: 0 }],
    ['rope.scaling.attn_factor', { ...yarn, 'scaling.attn_factor': 0 }],
    ['rope.scaling.yarn_beta_fast', { ...yarn, 'scaling.yarn_beta_fast': -1 }],
    ['rope.scaling.yarn_beta_slow', { ...yarn, 'scaling.yarn_beta_slow': 0 }],
    ['rope.scaling.yarn_log_multiplier', { ...yarn, 'scaling.yarn_log_multiplier': -9 }],
  ])('refuses a %s that no rotation can have', async (name, keys) => {
    await expect(rotationOf(keys)).rejects.toMatchObject({
      code: 'MODEL_MALFORMED',
      details: { field: `test.${name}`, offset: expect.any(Number) },
    });
  });

  it('refuses a way of scaling that it does not know, by a name fit to be shown', async () => {
    const type = 'long\u001brope';
    await expect(rotationOf({ 'scaling.type': type, 'scaling.factor': 4 })).rejects.toMatchObject({
      code: 'MODEL_UNSUPPORTED',
      details: { what: 'test.rope.scaling.type', found: 'long\\u{1b}rope' },
    });
  });
});
