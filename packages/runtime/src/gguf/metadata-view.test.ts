import { isPocketError } from '@pocketllm/abi';
import { expect, it } from 'vitest';
import { type MetadataInput, writeGguf } from '../../../../tests/support/gguf-writer.js';
import { memorySource } from './byte-source.js';
import { MetadataView } from './metadata-view.js';
import { readGguf } from './read-gguf.js';

async function viewOf(metadata: Record<string, MetadataInput>): Promise<MetadataView> {
  return new MetadataView((await readGguf(memorySource(writeGguf({ metadata })))).metadata);
}

/** The details of the refusal that `read` must end in. */
function refusal(read: () => unknown) {
  try {
    read();
  } catch (error) {
    if (isPocketError(error, 'MODEL_MALFORMED')) return error.details;
    throw error;
  }
  throw new Error('nothing was refused');
}

const key = 'k';
// The preamble takes 24 bytes, the key nine: then type and value.
const typeAt = 33;
const valueAt = 37;

it('an absent key is refused by name, or undefined through optional', async () => {
  const view = await viewOf({});
  expect(refusal(() => view.integer('a.b'))).toEqual({
    field: 'a.b',
    expected: 'a required key',
    found: 'missing',
  });
  const { optional } = view;
  const absent = [
    optional.integer(key),
    optional.float(key),
    optional.bool(key),
    optional.string(key),
    optional.strings(key),
    optional.integers(key),
    optional.floats(key),
    optional.bools(key),
    optional.integerPerLayer(key, 2),
  ];
  expect(absent.every((value) => value === undefined)).toBe(true);
});

it('any integer type is an integer, and any number a float', async () => {
  for (const type of ['uint8', 'int8', 'uint16', 'int16', 'uint32', 'int32', 'uint64', 'int64'] as const) {
    const view = await viewOf({ [key]: { type, value: 7 } });
    expect([view.integer(key), view.float(key)]).toEqual([7, 7]);
  }
  for (const type of ['float32', 'float64'] as const) {
    const view = await viewOf({ [key]: { type, value: 0.5 } });
    expect(view.float(key)).toBe(0.5);
    expect(refusal(() => view.integer(key))).toMatchObject({ found: type, offset: typeAt });
  }
});

it('an integer is from 0 to 2^32 - 1 unless a range is given', async () => {
  const negative = await viewOf({ [key]: -1 });
  expect(refusal(() => negative.integer(key))).toMatchObject({ found: '-1', offset: valueAt });
  expect(negative.integer(key, { min: -1 })).toBe(-1);
  const huge = await viewOf({ [key]: { type: 'uint64', value: 2n ** 64n - 1n } });
  expect(refusal(() => huge.integer(key))).toMatchObject({ found: '18446744073709551615' });
});

it('a float that is not finite is refused', async () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
    const view = await viewOf({ [key]: { type: 'float32', value } });
    expect(refusal(() => view.float(key))).toMatchObject({ found: String(value), offset: valueAt });
  }
});

it('a value of another type is refused at the byte of its type', async () => {
  const view = await viewOf({ [key]: 'text' });
  const reads = [
    () => view.integer(key),
    () => view.float(key),
    () => view.bool(key),
    () => view.strings(key),
    () => view.integers(key),
    () => view.integerPerLayer(key, 1),
  ];
  for (const read of reads)
    expect(refusal(read)).toMatchObject({ field: key, found: 'string', offset: typeAt });
  expect(view.string(key)).toBe('text');
  const list = await viewOf({ [key]: ['text'] });
  for (const read of [
    () => list.string(key),
    () => list.integers(key),
    () => list.floats(key),
    () => list.bools(key),
  ]) {
    expect(refusal(read)).toMatchObject({ found: 'an array of string', offset: typeAt });
  }
  expect(list.strings(key).values).toEqual(['text']);
});

it('an array has the length and element type that are asked for', async () => {
  const view = await viewOf({ [key]: { elementType: 'uint8', values: [1, 2, 3] } });
  expect([...Array.from(view.integers(key, { length: 3 }))]).toEqual([1, 2, 3]);
  expect(refusal(() => view.integers(key, { length: 4 }))).toMatchObject({
    expected: '4 elements',
    found: '3 elements',
    offset: valueAt,
  });
  expect(refusal(() => view.integers(key, { types: ['int32', 'uint32'] }))).toMatchObject({
    expected: 'an array of int32 or uint32',
    found: 'an array of uint8',
    offset: typeAt,
  });
  expect(refusal(() => view.integers(key, { max: 2 }))).toMatchObject({ found: '3', offset: valueAt });
});

it('64-bit arrays come out as numbers, and bools as booleans', async () => {
  const view = await viewOf({
    wide: { elementType: 'int64', values: [-5, 2 ** 40] },
    flags: { elementType: 'bool', values: [true, false] },
    scores: { elementType: 'float32', values: [Number.NaN, -1000] },
  });
  expect(view.floats('wide')).toEqual(Float64Array.of(-5, 2 ** 40));
  expect(view.integers('wide', { min: -5, max: 2 ** 40 })).toEqual(Float64Array.of(-5, 2 ** 40));
  expect(view.bools('flags')).toEqual([true, false]);
  expect(view.floats('scores')).toEqual(Float32Array.of(Number.NaN, -1000));
});

it('a key per layer is one value for all, or an array of one a layer', async () => {
  const view = await viewOf({ one: 8, many: { elementType: 'int32', values: [1, 2] } });
  expect(view.integerPerLayer('one', 3)).toEqual([8, 8, 8]);
  expect(view.integerPerLayer('many', 2)).toEqual([1, 2]);
  expect(refusal(() => view.integerPerLayer('many', 3))).toMatchObject({ expected: '3 elements' });
  expect(refusal(() => view.integerPerLayer('one', 3, { max: 7 }))).toMatchObject({ found: '8' });
});
