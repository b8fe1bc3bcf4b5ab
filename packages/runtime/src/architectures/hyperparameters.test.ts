import { isPocketError, weightFormats } from '@pocketllm/abi';
import { describe, expect, it } from 'vitest';
import { type MetadataInput, writeGguf } from '../../../../tests/support/gguf-writer.js';
import { GgufModel, memorySource, readGguf } from '../gguf/index.js';
import { readHyperparameters } from './hyperparameters.js';

const sound: Record<string, MetadataInput> = {
  'general.architecture': 'llama',
  'llama.context_length': 512,
  'llama.embedding_length': 64,
  'llama.block_count': 2,
  'llama.feed_forward_length': 96,
  'llama.attention.head_count': 4,
  'llama.attention.layer_norm_rms_epsilon': { type: 'float32', value: 1e-5 },
};

async function read(changes: Record<string, MetadataInput> = {}, without?: string) {
  const metadata = { ...sound, ...changes };
  if (without) delete metadata[without];
  const tensors = [{ name: 'token_embd.weight', format: weightFormats.f32, dimensions: [64, 100] }];
  const source = memorySource(writeGguf({ metadata, tensors }));
  return readHyperparameters(new GgufModel([{ source, file: await readGguf(source) }]));
}

describe('readHyperparameters', () => {
  it('fills in what most files leave out', async () => {
    expect(await read()).toMatchObject({
      heads: 4,
      kvHeads: 4,
      headSize: 16,
      valueSize: 16,
      vocabularySize: 100,
      attentionScale: 0.25,
    });
  });

  it('takes a head size that has nothing to do with the embedding', async () => {
    const sizes = await read({ 'llama.attention.key_length': 128, 'llama.attention.value_length': 64 });
    expect(sizes).toMatchObject({ headSize: 128, valueSize: 64, attentionScale: 1 / Math.sqrt(128) });
  });

  it('takes one value for each layer where they are the same', async () => {
    const same = { elementType: 'int32', values: [2, 2] } as const;
    expect((await read({ 'llama.attention.head_count_kv': same })).kvHeads).toBe(2);
    const differing = { elementType: 'int32', values: [2, 4] } as const;
    await expect(read({ 'llama.attention.head_count_kv': differing })).rejects.toMatchObject({
      code: 'MODEL_UNSUPPORTED',
    });
  });

  it('reads experts, whose feed-forward length may stand apart', async () => {
    const experts = {
      'llama.expert_count': 8,
      'llama.expert_used_count': 2,
      'llama.expert_feed_forward_length': 24,
    };
    expect((await read(experts)).experts).toEqual({ count: 8, used: 2, length: 24, scale: 1 });
  });

  it.each([
    ['llama.attention.head_count', { 'llama.attention.head_count': 0 }],
    ['llama.attention.head_count_kv', { 'llama.attention.head_count_kv': 3 }],
    ['llama.block_count', { 'llama.block_count': 513 }],
    [
      'llama.attention.layer_norm_rms_epsilon',
      { 'llama.attention.layer_norm_rms_epsilon': { type: 'float32', value: Number.NaN } },
    ],
    ['llama.expert_used_count', { 'llama.expert_count': 4, 'llama.expert_used_count': 5 }],
  ] as const)('refuses %s out of its range, by name and byte', async (field, changes) => {
    const error = await read(changes).catch((thrown: unknown) => thrown);
    if (!isPocketError(error, 'MODEL_MALFORMED')) throw error;
    expect(error.details.field).toBe(field);
    expect(error.details.offset).toBeGreaterThan(0);
  });

  it.each(Object.keys(sound).slice(1))('refuses a file without %s', async (key) => {
    await expect(read({}, key)).rejects.toMatchObject({ code: 'MODEL_MALFORMED', details: { field: key } });
  });
});
