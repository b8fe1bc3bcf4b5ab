import { fileURLToPath } from 'node:url';
import reference from '@pocketllm/reference';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readHyperparameters } from '../architectures/index.js';
import { GgufModel, type GgufValue } from '../gguf/index.js';
import { openGgufFile } from '../node/index.js';
import { Model } from './model.js';
import type { LoadOptions } from './options.js';
import { recordTokenProgram } from './token-program.js';

const tale = fileURLToPath(new URL('../../../../models/tale-q8_0.gguf', import.meta.url));
const ids = Array.from({ length: 70 }, (_, place) => 300 + 7 * place);

/** The model with a way to pool in its file. */
async function open(pooling?: number, bounds: LoadOptions = {}): Promise<Model> {
  const file = await openGgufFile(tale);
  const value =
    pooling === undefined ? undefined : ({ type: 'uint32', value: pooling, offset: 0 } as GgufValue);
  const { source, file: content } = file.parts[0]!;
  const metadata = new Map([...content.metadata, ...(value ? [['qwen3.pooling_type', value] as const] : [])]);
  const model = new GgufModel([{ source, file: { ...content, metadata } }]);
  return Model.load(model, reference, { maxModelLen: 128, ...bounds });
}

/** Hidden states of all rows, by a step of one's own. */
async function hiddenStates(): Promise<Float32Array[]> {
  const file = await openGgufFile(tale);
  const sizes = readHyperparameters(file);
  const { program, weights } = recordTokenProgram(file, sizes, () => true);
  const backend = await reference.open('reference');
  const rows = ids.length;
  const executable = await backend.prepare(program, weights, { maxRows: rows, maxOutputs: rows });
  const cache = await backend.createCache({ layers: program.caches, pages: 3, format: 'f16' });
  const places = Int32Array.from(ids, (_, row) => row);
  const { outputs } = await executable.run({
    rows,
    outputs: rows,
    sequences: [{ rows, start: 0, pages: [0, 1, 2], phase: 'prefill' }],
    inputs: { tokens: Int32Array.from(ids), positions: places, selection: places },
    cache,
    wanted: ['hidden'],
  });
  await backend.close();
  await file.close();
  const all = outputs.hidden as Float32Array;
  const size = sizes.embeddingLength;
  return Array.from(places, (row) => all.slice(row * size, (row + 1) * size));
}

function unit(values: readonly number[]): number[] {
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}

describe('embeddings', () => {
  let rows: Float32Array[];
  let model: Model;
  beforeAll(async () => {
    rows = await hiddenStates();
    model = await open();
  });
  afterAll(() => model?.close());

  it.each([
    [
      'the mean',
      undefined,
      () => Array.from(rows[0]!, (_, i) => rows.reduce((sum, row) => sum + row[i]!, 0)),
    ],
    ['the mean', 1, () => Array.from(rows[0]!, (_, i) => rows.reduce((sum, row) => sum + row[i]!, 0))],
    ['the first', 2, () => [...rows[0]!]],
    ['the last', 3, () => [...rows.at(-1)!]],
  ])('are %s of the hidden states for a pooling type of %s, of length 1', async (_, type, expected) => {
    await using pooled = await open(type);
    const [vector] = await pooled.embed([ids]);
    unit(expected()).forEach((value, i) => {
      expect(vector![i]).toBeCloseTo(value, 5);
    });
    expect(Math.hypot(...vector!)).toBeCloseTo(1, 6);
  });

  it('are the same beside each other, beside answers, and of a text as of its tokens', async () => {
    const text = 'The capital of Norway is Oslo.';
    const inputs = [
      ids,
      ids.slice(0, 9),
      text,
      model.tokenizer.encode(text, { addBos: true, addEos: true }),
      [5],
    ];
    const answer = model.complete('A fox', { temperature: 0, maxTokens: 30, ignoreEos: true }).result();
    const together = await model.embed(inputs);
    expect((await answer).tokens).toHaveLength(30);
    for (const [place, input] of inputs.entries())
      expect((await model.embed([input]))[0]).toEqual(together[place]);
    expect(together[2]).toEqual(together[3]);
    expect(await model.embed([])).toEqual([]);
    expect(model.cacheUse.freePages).toBe(4);
  });

  it('take turns where they are more than may be under way, as answers do not', async () => {
    await using narrow = await open(undefined, { maxSequences: 2, maxQueue: 1 });
    const inputs = [ids, [5], [6, 7], [8], [9, 10, 11]];
    expect(await narrow.embed(inputs)).toEqual(await model.embed(inputs));
    const answers = Array.from({ length: 4 }, () => narrow.complete('A fox', { maxTokens: 2 }).result());
    const [first, second, third, fourth] = await Promise.allSettled(answers);
    expect([first, second, third].map((answer) => answer?.status)).toEqual(Array(3).fill('fulfilled'));
    expect(fourth).toMatchObject({ status: 'rejected', reason: { code: 'QUEUE_FULL' } });
  });

  it('refuse what does not fit, and end where their signal fires', async () => {
    await expect(model.embed([Array(129).fill(5)])).rejects.toMatchObject({
      code: 'CONTEXT_OVERFLOW',
      details: { promptTokens: 129, maxModelLen: 128 },
    });
    await expect(model.embed([[1], []])).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
    const abort = new AbortController();
    const ending = model.embed([ids, ids], { signal: abort.signal });
    setTimeout(() => abort.abort(), 5);
    await expect(ending).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(model.cacheUse.freePages).toBe(4);
  });
});
