import { describe, expect, it } from 'vitest';
import { metadataOf } from '../../../../tests/support/hand-made-vocabulary.js';
import type { Hyperparameters } from '../architectures/index.js';
import type { GgufModel } from '../gguf/index.js';
import { checkVocabulary, chooseCacheSize } from './limits.js';

/** Warnings for a file of three tokens whose embedding table has so many rows. */
async function warningsFor(rows: number, stated: number, architecture = 'test'): Promise<string[]> {
  const key = (name: string) => `${architecture}.${name}`;
  const metadata = await metadataOf({ tokens: ['a', 'b', 'c'], [key('vocab_size')]: stated });
  const warnings: string[] = [];
  const sizes = { vocabularySize: rows, key } as Hyperparameters;
  checkVocabulary({ metadata } as GgufModel, sizes, (warning) => warnings.push(warning));
  return warnings;
}

describe('the size of the cache', () => {
  const sizes = {
    contextLength: 4096,
    blockCount: 2,
    kvHeads: 1,
    headSize: 64,
    valueSize: 64,
  } as Hyperparameters;
  // 32 positions x 2 layers x 128 elements x 2 bytes.
  const pageBytes = 16_384;

  it('is that of one text by default, and more where many are asked for, but not too much', () => {
    expect(chooseCacheSize({}, sizes)).toEqual({ maxModelLen: 4096, pages: 128 });
    expect(chooseCacheSize({ maxModelLen: 33 }, sizes)).toEqual({ maxModelLen: 33, pages: 2 });
    expect(chooseCacheSize({ maxSequences: 32 }, sizes).pages).toBe(512);
    const large = { ...sizes, blockCount: 500 };
    expect(chooseCacheSize({ maxSequences: 32 }, large).pages).toBe(128);
    expect(chooseCacheSize({ maxSequences: 32, maxModelLen: 64 }, large).pages).toBe(65);
  });

  it('follows pages or bytes, and shortens the context to what they hold', () => {
    expect(chooseCacheSize({ cachePages: 300 }, sizes)).toEqual({ maxModelLen: 4096, pages: 300 });
    expect(chooseCacheSize({ cachePages: 3 }, sizes)).toEqual({ maxModelLen: 96, pages: 3 });
    expect(chooseCacheSize({ cacheBytes: 4 * pageBytes - 1 }, sizes).pages).toBe(3);
    expect(chooseCacheSize({ cacheBytes: 2 * pageBytes, cacheFormat: 'f32' }, sizes).pages).toBe(1);
    expect(chooseCacheSize({ cacheBytes: 17 * (pageBytes / 32), cacheFormat: 'q8_0' }, sizes).pages).toBe(1);
  });

  it.each([
    [{ cachePages: 0 }, 'cachePages'],
    [{ cacheBytes: pageBytes - 1 }, 'cacheBytes'],
    [{ cachePages: 1, cacheBytes: pageBytes }, 'cacheBytes'],
    [{ cachePages: 2, maxModelLen: 65 }, 'maxModelLen'],
    [{ maxModelLen: 4097 }, 'maxModelLen'],
  ])('is refused for %j, which names %s', (options, field) => {
    expect(() => chooseCacheSize(options, sizes)).toThrow(
      expect.objectContaining({ code: 'REQUEST_INVALID', details: expect.objectContaining({ field }) }),
    );
  });
});

describe('checkVocabulary', () => {
  it('accepts as many rows as tokens, and more', async () => {
    expect(await warningsFor(3, 3)).toEqual([]);
    expect(await warningsFor(2 ** 21, 2 ** 21)).toEqual([]);
  });

  it('warns of a size that is not that of the table, by a name fit to be shown', async () => {
    const [warning] = await warningsFor(4, 3, 'a\u001b[2J');
    expect(warning).toMatch(/^a\\u\{1b\}\[2J\.vocab_size says 3; token_embd has 4 rows/);
  });

  it('refuses fewer rows than tokens', async () => {
    await expect(warningsFor(2, 2)).rejects.toMatchObject({
      code: 'MODEL_MALFORMED',
      details: { field: 'tokenizer.ggml.tokens', expected: 'at most 2 tokens, the rows of token_embd' },
    });
  });

  it('refuses more rows than a sampler can order', async () => {
    await expect(warningsFor(2 ** 21 + 1, 3)).rejects.toMatchObject({
      code: 'MODEL_UNSUPPORTED',
      details: { found: '2097153', supported: 'up to 2097152' },
    });
  });
});
