import { isPocketError, type Program, recordProgram, type WeightSource } from '@pocketllm/abi';
import { describe, expect, it } from 'vitest';
import { memoryWeights } from '../test/memory-weights.js';
import { openSmallModel, program, stepOf, weights } from '../test/small-model.js';
import plugin from './index.js';

const none = { weights: 0, caches: 0, scratch: 0 };
const sizes = { maxRows: 8, maxOutputs: 8 };

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error) => (isPocketError(error) ? { code: error.code, details: error.details } : error),
  );

/** A source that notes each read. */
const noting = (source: WeightSource) => {
  const reads: { name: string; offset: number | undefined; length: number | undefined }[] = [];
  const read: WeightSource['read'] = (name, offset, length) => {
    reads.push({ name, offset, length });
    return source.read(name, offset, length);
  };
  return { reads, source: { read } };
};

const oneMatmul = (format: 'f32' | 'q8_1' | 'q8_0', outFeatures: number, inFeatures: number): Program =>
  recordProgram((p) => {
    const x = p.input('x', 'f32', ['rows', inFeatures]);
    p.weight('unused', 'f32', [1000]);
    p.output('out', p.matmul(x, p.weight('w', format, [outFeatures, inFeatures])));
  });

describe('prepare', () => {
  it('reads each weight that is used once, and says how far it is', async () => {
    const backend = await plugin.open('reference');
    const { reads, source } = noting(weights);
    const progress: number[][] = [];
    const onProgress = (done: number, total: number) => progress.push([done, total]);
    await backend.prepare(program, source, { ...sizes, onProgress });
    expect(reads.map(({ name }) => name)).toEqual(program.weights.map(({ name }) => name));
    const total = reads.reduce((sum, { length }) => sum + length!, 0);
    expect(progress.at(-1)).toEqual([total, total]);
    expect(backend.memory().weights).toBe(total); // all of f32, so decoded as large as stored
  });

  it('reads large weights in parts of whole rows, and decodes them as one', async () => {
    const backend = await plugin.open('reference');
    const [rows, cols] = [700, 1024]; // 2.9 million bytes
    const values = Array.from({ length: rows * cols }, (_, i) => (i % cols === 0 ? i / cols : 0));
    const { reads, source } = noting(memoryWeights({ w: values }));
    const executable = await backend.prepare(oneMatmul('f32', rows, cols), source, sizes);
    expect(reads.map(({ offset, length }) => [offset, length])).toEqual([
      [0, 256 * 4096],
      [256 * 4096, 256 * 4096],
      [512 * 4096, 188 * 4096],
    ]);
    const x = new Float32Array(cols);
    x[0] = 2;
    const { out } = (await executable.run({ rows: 1, outputs: 0, sequences: [], inputs: { x } })).outputs;
    expect(out).toEqual(Float32Array.from({ length: rows }, (_, r) => 2 * r));
  });

  it('refuses a format that is not claimed before it reads anything', async () => {
    const backend = await plugin.open('reference');
    const { reads, source } = noting(memoryWeights({}));
    expect(await failureOf(backend.prepare(oneMatmul('q8_1', 1, 32), source, sizes))).toMatchObject({
      code: 'OP_UNSUPPORTED',
      details: { device: 'reference', op: 'matmul', format: 'q8_1' },
    });
    expect(reads).toEqual([]);
    expect(backend.memory()).toEqual(none);
  });

  it('fails with OUT_OF_MEMORY before it reads anything, and holds nothing then', async () => {
    const backend = await plugin.open('reference');
    const { reads, source } = noting(memoryWeights({}));
    const huge = oneMatmul('f32', 2 ** 22, 2 ** 22);
    expect(await failureOf(backend.prepare(huge, source, sizes))).toEqual({
      code: 'OUT_OF_MEMORY',
      details: { what: 'weight w', wanted: 2 ** 46 },
    });
    const manyRows = { maxRows: 2 ** 45, maxOutputs: 1 };
    expect(await failureOf(backend.prepare(oneMatmul('f32', 2, 2), source, manyRows))).toMatchObject({
      code: 'OUT_OF_MEMORY',
      details: { what: 'values of a step' },
    });
    expect(reads).toEqual([]);
    expect(backend.memory()).toEqual(none);
  });

  it('names the weight whose source ends early', async () => {
    const backend = await plugin.open('reference');
    const short = memoryWeights({ w: new Uint8Array(33) });
    expect(await failureOf(backend.prepare(oneMatmul('q8_0', 1, 32), short, sizes))).toEqual({
      code: 'MODEL_MALFORMED',
      details: { field: 'w', expected: '34 bytes', found: '33 bytes' },
    });
    expect(backend.memory()).toEqual(none);
  });

  it('passes a failure of the source on, and holds nothing then', async () => {
    const backend = await plugin.open('reference');
    const broken = { read: () => Promise.reject(new Error('gone')) };
    await expect(backend.prepare(program, broken, sizes)).rejects.toThrow('gone');
    expect(backend.memory()).toEqual(none);
  });

  it('ends with CANCELLED between two reads', async () => {
    const backend = await plugin.open('reference');
    const controller = new AbortController();
    const { reads, source } = noting(weights);
    const onProgress = () => controller.abort();
    const preparing = backend.prepare(program, source, { ...sizes, signal: controller.signal, onProgress });
    expect(await failureOf(preparing)).toMatchObject({ code: 'CANCELLED' });
    expect(reads.length).toBe(2);
    expect(backend.memory()).toEqual(none);
    const { signal } = controller;
    expect(await failureOf(backend.prepare(program, source, { ...sizes, signal }))).toMatchObject({
      code: 'CANCELLED',
    });
    expect(reads.length).toBe(2);
  });

  it('ends with CLOSED when the backend closes meanwhile', async () => {
    const backend = await plugin.open('reference');
    const preparing = failureOf(backend.prepare(program, weights, sizes));
    await backend.close();
    expect(backend.memory()).toEqual(none);
    expect(await preparing).toMatchObject({ code: 'CLOSED' });
  });
});

describe('memory', () => {
  it('is counted to the byte, and given back', async () => {
    const backend = await plugin.open('reference');
    const small = recordProgram((p) => {
      const x = p.input('x', 'f32', ['rows', 32]);
      const y = p.matmul(x, p.weight('w', 'q8_0', [5, 32]));
      p.output('out', p.scale(p.scale(p.scale(y, { factor: 2 }), { factor: 2 }), { factor: 2 }));
    });
    const source = memoryWeights({ w: new Uint8Array(5 * 34) });
    const executable = await backend.prepare(small, source, sizes);
    // 5 rows of 32 decoded; two slots of 8 rows of 5, which the four values share.
    expect(backend.memory()).toEqual({ weights: 5 * 32 * 4, caches: 0, scratch: 2 * 8 * 5 * 4 });

    const layers = [{ name: 'layer.0', kvHeads: 2, headSize: 32, valueSize: 64 }];
    const bytes = { f32: 4, f16: 2, q8_0: 34 / 32 };
    let caches = 0;
    const open = [];
    for (const format of ['f32', 'f16', 'q8_0'] as const) {
      open.push(await backend.createCache({ layers, pages: 3, format }));
      caches += 3 * 32 * 2 * (32 + 64) * bytes[format];
      expect(backend.memory().caches).toBe(caches);
    }
    await executable.release();
    await executable.release();
    expect(backend.memory()).toEqual({ weights: 0, caches, scratch: 0 });
    for (const cache of open) await Promise.all([cache.close(), cache.close()]);
    expect(backend.memory()).toEqual(none);
  });

  it('does not grow from step to step', async () => {
    const { backend, executable, cache } = await openSmallModel();
    const step = stepOf(cache, { tokens: Array(60).fill(1), start: 0, pages: [0, 1] });
    await executable.run(step);
    const before = backend.memory();
    for (let i = 0; i < 5; i++) await executable.run(step);
    expect(backend.memory()).toEqual(before);
  });
});

describe('close', () => {
  it('gives everything back, ends everything that was open, and may come twice', async () => {
    const { backend, executable, cache } = await openSmallModel();
    await Promise.all([backend.close(), backend.close()]);
    await backend.close();
    expect(backend.memory()).toEqual(none);
    const step = stepOf(cache, { tokens: [1], start: 0, pages: [0] });
    for (const use of [
      executable.run(step),
      cache.copyPage(0, 1),
      cache.readPage(0),
      backend.prepare(program, weights, sizes),
      backend.createCache(cache.spec),
    ]) {
      expect(await failureOf(use)).toMatchObject({ code: 'CLOSED' });
    }
    await executable.release();
    await cache.close();
  });

  it('of a cache ends the steps that would use it', async () => {
    const { executable, cache } = await openSmallModel();
    await cache.close();
    const step = stepOf(cache, { tokens: [1], start: 0, pages: [0] });
    expect(await failureOf(executable.run(step))).toEqual({ code: 'CLOSED', details: { what: 'cache' } });
  });
});
