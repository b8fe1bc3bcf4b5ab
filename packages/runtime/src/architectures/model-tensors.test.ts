import { ProgramBuilder, weightFormats } from '@pocketllm/abi';
import { describe, expect, it } from 'vitest';
import { writeGguf } from '../../../../tests/support/gguf-writer.js';
import { GgufModel, memorySource, readGguf } from '../gguf/index.js';
import { ModelTensors } from './model-tensors.js';

const rows = (count: number, first: number) =>
  new Uint8Array(Float32Array.from({ length: count * 4 }, (_, i) => first + i).buffer);

async function open() {
  const source = memorySource(
    writeGguf({
      metadata: { 'general.architecture': 'llama' },
      tensors: [
        { name: 'fused.weight', format: weightFormats.f32, dimensions: [4, 6], data: rows(6, 0) },
        { name: 'fused.bias', format: weightFormats.f32, dimensions: [6], data: rows(6, 100).slice(0, 24) },
      ],
    }),
  );
  const p = new ProgramBuilder();
  const model = new GgufModel([{ source, file: await readGguf(source) }]);
  return { p, tensors: new ModelTensors(p, model) };
}

const floats = (bytes: Uint8Array) => [...new Float32Array(bytes.slice().buffer)];

describe('ModelTensors', () => {
  it('hands out rows of a fused matrix under names of their own, and their bytes', async () => {
    const { tensors } = await open();
    const part = tensors.slice('q.weight', 'fused.weight', [6, 4], 2, 3);
    expect(part.dimensions).toEqual([3, 4]);
    expect(floats(await tensors.read('q.weight'))).toEqual(Array.from({ length: 12 }, (_, i) => 8 + i));
    expect(floats(await tensors.read('q.weight', 16, 8))).toEqual([12, 13]);
  });

  it('hands out a stretch of a fused vector', async () => {
    const { tensors } = await open();
    tensors.slice('q.bias', 'fused.bias', [6], 4, 2);
    expect(floats(await tensors.read('q.bias'))).toEqual([104, 105]);
  });

  it('records a tensor once, however often it is asked for', async () => {
    const { p, tensors } = await open();
    expect(tensors.weight('fused.weight', 6, 4)).toBe(tensors.weight('fused.weight', 6, 4));
    expect(p.build().weights).toHaveLength(1);
  });

  it('brings values that were computed while loading', async () => {
    const { tensors } = await open();
    tensors.constant('factors', Float32Array.of(1, 2, 3));
    expect(floats(await tensors.read('factors', 4))).toEqual([2, 3]);
    expect(tensors.locate('factors')).toBeUndefined();
  });

  it('refuses a shape that is not the expected one, and a tensor that is missing', async () => {
    const { tensors } = await open();
    expect(() => tensors.weight('fused.weight', 4, 6)).toThrow(/dimensions \[6, 4\]/);
    expect(() => tensors.weight('other.weight', 4)).toThrow(/other\.weight/);
    expect(tensors.optional('other.weight', 4)).toBeUndefined();
  });
});
