import { readFileSync } from 'node:fs';
import { isPocketError, weightFormats } from '@pocketllm/abi';
import { describe, expect, it } from 'vitest';
import { writeGguf } from '../../../../tests/support/gguf-writer.js';
import { processorMs } from '../../../../tests/support/processor-time.js';
import { hasShared, sharedPath } from '../../../../tests/support/shared.js';
import { memorySource } from './byte-source.js';
import { readGguf } from './read-gguf.js';

const { f32, q8_0 } = weightFormats;
const read = (bytes: Uint8Array) => readGguf(memorySource(bytes));
const wide = (value: number | bigint) => new Uint8Array(BigUint64Array.of(BigInt(value)).buffer);

/** The file with some bytes written over. */
function patched(bytes: Uint8Array, offset: number, patch: Uint8Array): Uint8Array {
  const copy = new Uint8Array(bytes);
  copy.set(patch, offset);
  return copy;
}

function offsetOf(bytes: Uint8Array, text: string): number {
  return new TextDecoder('latin1').decode(bytes).indexOf(text);
}

const oneTensor = writeGguf({ tensors: [{ name: 't', format: f32, dimensions: [4, 2] }] });
// Magic, version and counts take 24 bytes, the name nine; then count, dimensions, type and offset.
const at = { dimensionCount: 33, firstDimension: 37, secondDimension: 45, type: 53, offset: 57 };

describe('metadata', () => {
  it('keeps every value with its type, and 64-bit integers exactly', async () => {
    const { metadata } = await read(
      writeGguf({
        metadata: {
          text: 'héllo▁',
          empty: '',
          yes: true,
          small: { type: 'int8', value: -1 },
          safe: { type: 'uint64', value: 2n ** 53n - 1n },
          huge: { type: 'uint64', value: 2n ** 64n - 1n },
          deep: { type: 'int64', value: -(2n ** 62n) },
          double: { type: 'float64', value: 0.1 },
        },
      }),
    );
    const plain = [...metadata].map(([key, value]) => [key, value.type, 'value' in value && value.value]);
    expect(plain).toEqual([
      ['text', 'string', 'héllo▁'],
      ['empty', 'string', ''],
      ['yes', 'bool', true],
      ['small', 'int8', -1],
      ['safe', 'uint64', Number.MAX_SAFE_INTEGER],
      ['huge', 'uint64', 2n ** 64n - 1n],
      ['deep', 'int64', -(2n ** 62n)],
      ['double', 'float64', 0.1],
    ]);
  });

  it('keeps arrays as typed arrays and strings', async () => {
    const { metadata } = await read(
      writeGguf({
        metadata: {
          numbers: { elementType: 'int32', values: [1, -2, 3] },
          wide: { elementType: 'uint64', values: [2n ** 64n - 1n] },
          bools: { elementType: 'bool', values: [true, false] },
          words: ['x', '', 'yz', '😀'],
          none: { elementType: 'float32', values: [] },
        },
      }),
    );
    const arrays = [...metadata].map(([key, value]) => [key, 'values' in value && value.values]);
    expect(arrays).toEqual([
      ['numbers', Int32Array.of(1, -2, 3)],
      ['wide', BigUint64Array.of(2n ** 64n - 1n)],
      ['bools', Uint8Array.of(1, 0)],
      ['words', ['x', '', 'yz', '😀']],
      ['none', Float32Array.of()],
    ]);
  });

  it('gives the bytes of strings that are not UTF-8, and warns of them', async () => {
    const bytes = writeGguf({ metadata: { tokens: ['ok', '??', '\ufffd'], name: '!!' } });
    const broken = patched(
      patched(bytes, offsetOf(bytes, '??'), Uint8Array.of(0xff, 0xfe)),
      offsetOf(bytes, '!!'),
      Uint8Array.of(0xc3, 0x21),
    );
    const { metadata, warnings } = await read(broken);
    expect(metadata.get('tokens')).toMatchObject({
      values: ['ok', '\ufffd\ufffd', '\ufffd'],
      raw: new Map([[1, Uint8Array.of(0xff, 0xfe)]]),
    });
    expect(metadata.get('name')).toMatchObject({ value: '\ufffd!', raw: Uint8Array.of(0xc3, 0x21) });
    expect(warnings).toEqual(['tokens: 1 strings are not UTF-8', 'name: 1 strings are not UTF-8']);
  });

  it('refuses keys that together hold more of them than it keeps', async () => {
    const half = Array<string>(40_000).fill('?');
    const bytes = writeGguf({ metadata: { a: half, b: half } });
    await expect(read(bytes.map((byte) => (byte === 0x3f ? 0xff : byte)))).rejects.toMatchObject({
      details: { field: 'b', expected: 'UTF-8', found: '80000 other strings up to here' },
    });
  });

  it('holds keys that are members of every object as keys like any other', async () => {
    const { metadata } = await read(
      writeGguf({
        metadata: [
          ['__proto__', 'a'],
          ['constructor', 'b'],
        ],
      }),
    );
    expect([...metadata.keys()]).toEqual(['__proto__', 'constructor']);
    expect(Object.getOwnPropertyNames({})).toEqual([]);
  });

  it('refuses a key that comes twice, at the second', async () => {
    const bytes = writeGguf({
      metadata: [
        ['a.b', 1],
        ['a.b', 2],
      ],
    });
    await expect(read(bytes)).rejects.toMatchObject({
      code: 'MODEL_MALFORMED',
      details: { field: 'a.b', found: 'a duplicate of the key', offset: 24 + 19 },
    });
  });

  it('refuses a key with NUL, and shows it escaped', async () => {
    await expect(read(writeGguf({ metadata: { 'a\0b\u001b': 1 } }))).rejects.toMatchObject({
      details: { expected: 'a name without NUL', found: 'a\\u{0}b\\u{1b}' },
    });
  });

  it('refuses a key of 65536 bytes and takes one of 65535', async () => {
    await expect(read(writeGguf({ metadata: { ['k'.repeat(65536)]: 1 } }))).rejects.toMatchObject({
      details: { field: 'metadata key', found: '65536 bytes' },
    });
    const { metadata } = await read(writeGguf({ metadata: { ['k'.repeat(65535)]: 1 } }));
    expect(metadata.size).toBe(1);
  });

  it('refuses a key that is not UTF-8', async () => {
    const bytes = patched(writeGguf({ metadata: { key: 1 } }), 33, Uint8Array.of(0xff));
    await expect(read(bytes)).rejects.toMatchObject({ details: { expected: 'UTF-8', offset: 24 } });
  });

  it.each([
    ['tensor count', 8],
    ['metadata key count', 16],
  ])('refuses a %s that the rest of the file cannot hold', async (field, offset) => {
    const bytes = patched(writeGguf({ metadata: { key: 1 } }), offset, wide(60));
    await expect(read(bytes)).rejects.toMatchObject({
      code: 'MODEL_MALFORMED',
      details: { field, found: '60', offset },
    });
  });

  it('refuses more pairs than it is ready to hold', async () => {
    const bytes = patched(new Uint8Array(2 ** 21), 0, writeGguf({}));
    await expect(read(patched(bytes, 16, wide(65537)))).rejects.toMatchObject({
      code: 'MODEL_UNSUPPORTED',
      details: { what: 'metadata key count', found: '65537', offset: 16 },
    });
  });

  it('refuses a header above 64 MiB before it loads one', async () => {
    const start = writeGguf({ metadata: { words: ['w'] } });
    const claim = patched(start, start.length - 17, wide(2 ** 26));
    const reads: number[] = [];
    const source = {
      name: 'huge',
      size: 2 ** 40,
      async read(offset: number, length: number) {
        reads.push(length);
        return patched(new Uint8Array(length), 0, offset === 0 ? claim : new Uint8Array(0));
      },
    };
    await expect(readGguf(source)).rejects.toMatchObject({
      code: 'MODEL_UNSUPPORTED',
      details: { what: 'size of the header' },
    });
    expect(reads.reduce((sum, n) => sum + n, 0)).toBeLessThanOrEqual(2 ** 26);
  });
});

describe('tensors', () => {
  it('have format, dimensions and the bytes of the file where they lie', async () => {
    const bytes = writeGguf({
      metadata: { 'general.alignment': 64 },
      alignment: 64,
      tensors: [
        { name: 'a', format: f32, dimensions: [3], data: Uint8Array.from({ length: 12 }, (_, i) => i) },
        { name: 'b', format: q8_0, dimensions: [64, 2, 1, 1] },
        { name: 'scalar', format: f32, dimensions: [] },
        { name: 'empty', format: f32, dimensions: [0, 5] },
      ],
    });
    const { tensors, dataOffset, alignment, warnings } = await read(bytes);
    expect(alignment).toBe(64);
    expect([...tensors.values()]).toMatchObject([
      { name: 'a', format: f32, dimensions: [3], offset: dataOffset, bytes: 12 },
      { name: 'b', format: q8_0, dimensions: [64, 2, 1, 1], offset: dataOffset + 64, bytes: 2 * 68 },
      { name: 'scalar', dimensions: [], offset: dataOffset + 256, bytes: 4 },
      { name: 'empty', dimensions: [0, 5], bytes: 0 },
    ]);
    expect(bytes.slice(dataOffset, dataOffset + 4)).toEqual(Uint8Array.of(0, 1, 2, 3));
    expect(warnings).toEqual([]);
  });

  const refusals: readonly (readonly [fact: string, offset: number, patch: Uint8Array, details: object])[] = [
    ['five dimensions', at.dimensionCount, Uint8Array.of(5), { found: '5', offset: at.dimensionCount }],
    [
      'a dimension of 2^63',
      at.firstDimension,
      wide(2n ** 63n),
      { found: String(2n ** 63n), offset: at.dimensionCount },
    ],
    ['a size of 2^53 bytes', at.secondDimension, wide(2n ** 49n), { offset: at.dimensionCount }],
    [
      'a removed type',
      at.type,
      Uint8Array.of(4),
      { found: expect.stringContaining('q4_2'), offset: at.type },
    ],
    [
      'a private type',
      at.type,
      Uint8Array.of(133),
      { found: expect.stringContaining('private'), offset: at.type },
    ],
    ['a row of half a block', at.type, Uint8Array.of(8), { found: 'rows of 4', offset: at.type }],
    ['an offset off the alignment', at.offset, Uint8Array.of(1), { found: '1', offset: at.offset }],
    ['an offset past the end', at.offset, Uint8Array.of(64), { found: 'bytes 64 to 96', offset: at.offset }],
    ['an offset of 2^64 - 32', at.offset, wide(2n ** 64n - 32n), { offset: at.offset }],
  ];
  it.each(refusals)('are refused with %s', async (_fact, offset, patch, details) => {
    await expect(read(patched(oneTensor, offset, patch))).rejects.toMatchObject({ details });
  });

  it('may leave gaps and lie in any order, but not overlap', async () => {
    const bytes = writeGguf({
      tensors: [
        { name: 'a', format: f32, dimensions: [16] },
        { name: 'b', format: f32, dimensions: [16] },
      ],
    });
    const [aAt, bAt] = ['a', 'b'].map((name) => offsetOf(bytes, `\x01\0\0\0\0\0\0\0${name}`) + 9 + 4 + 8 + 4);
    const swapped = patched(patched(bytes, aAt!, wide(64)), bAt!, wide(0));
    expect([...(await read(swapped)).tensors.keys()]).toEqual(['a', 'b']);
    await expect(read(patched(bytes, bAt!, wide(32)))).rejects.toMatchObject({
      details: { field: 'tensor b', found: '32', offset: bAt },
    });
  });

  it('are cut off: both sizes are named', async () => {
    const whole = oneTensor.length;
    await expect(read(oneTensor.slice(0, whole - 1))).rejects.toMatchObject({
      details: {
        field: 'tensor t',
        expected: `a file of at least ${whole} bytes`,
        found: `end of file: truncated at ${whole - 1} bytes`,
        offset: whole - 1,
      },
    });
  });

  it('may be followed by other bytes, with a warning', async () => {
    const longer = patched(new Uint8Array(oneTensor.length + 5), 0, oneTensor);
    expect((await read(longer)).warnings).toEqual(['5 extra bytes after the last tensor']);
  });
});

describe('what is no GGUF file', () => {
  it.each([
    ['<!DOCTYPE html><title>Sign in</title>', 'a web page (HTML)'],
    ['version https://git-lfs.github.com/spec/v1', 'a Git LFS pointer instead of the file'],
    ['PK\u0003\u0004 and so on', 'PK\\u{3}\\u{4}'],
  ])('%j is named', async (text, found) => {
    await expect(read(new TextEncoder().encode(text))).rejects.toMatchObject({
      details: { field: 'magic', found: `not a GGUF file: ${found}`, offset: 0 },
    });
  });
});

it('reads the same in chunks of a few bytes as in one', async () => {
  const bytes = writeGguf({
    metadata: {
      words: Array.from({ length: 500 }, (_, i) => `▁${i}`),
      list: { elementType: 'int64', values: [1, 2] },
    },
    tensors: [{ name: 't', format: f32, dimensions: [8] }],
  });
  expect(await readGguf(memorySource(bytes), { chunkBytes: 7 })).toEqual(await read(bytes));
});

const vectorFile = 'facts/vectors/gguf.json';

interface Vector {
  readonly name: string;
  readonly file: string;
  readonly want: string;
}

function vectors(): Vector[] {
  return hasShared(vectorFile) ? JSON.parse(readFileSync(sharedPath(vectorFile), 'utf8')).cases : [];
}

describe.skipIf(!hasShared(vectorFile))('the recorded files (needs ../shared/facts/vectors)', () => {
  // Where either is right, what this reader does.
  const accepted = new Set(['tensor-name-64', 'offset-gap', 'offset-order-swapped']);
  const refused = new Set(['v3-big-endian', 'nested-array', 'bool-2']);

  it.each(vectors())('$name: $want', async ({ name, file, want }) => {
    const accepts = accepted.has(name) || (/accept/.test(want) && !refused.has(name));
    const outcome = read(new Uint8Array(Buffer.from(file, 'base64'))).then(
      () => 'accepted',
      (error) => (isPocketError(error) ? 'refused' : error),
    );
    expect(await outcome).toBe(accepts ? 'accepted' : 'refused');
  });

  it('of every value type holds what was written', async () => {
    const { cases, allTypesExpected } = JSON.parse(readFileSync(sharedPath(vectorFile), 'utf8'));
    const { file } = cases.find((each: Vector) => each.name === 'v3-all-value-types');
    const { metadata } = await read(new Uint8Array(Buffer.from(file, 'base64')));
    for (const [key, expected] of Object.entries(allTypesExpected)) {
      const value = metadata.get(key)!;
      const found = 'values' in value ? Array.from(value.values as ArrayLike<unknown>) : value.value;
      expect(typeof found === 'bigint' ? String(found) : found, key).toEqual(expected);
    }
  });
});

const vocabulary = 'fixtures/qwen3-vocab.gguf';

it.skipIf(!hasShared(vocabulary))('reads 151,936 tokens of Qwen3 (needs ../shared/fixtures)', async () => {
  const bytes = new Uint8Array(readFileSync(sharedPath(vocabulary)));
  const started = processorMs();
  const { metadata } = await read(bytes);
  const elapsed = processorMs() - started;
  const tokens = metadata.get('tokenizer.ggml.tokens')!;
  expect(tokens).toMatchObject({ elementType: 'string', raw: new Map() });
  const values = 'values' in tokens ? tokens.values : [];
  expect([values.length, values[0], values[13], values[151643]]).toEqual([151936, '!', '.', '<|endoftext|>']);
  // About 100 ms on an idle core; other tests may share it.
  expect(elapsed).toBeLessThan(2000);
});
