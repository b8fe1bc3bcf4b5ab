import { describe, expect, it } from 'vitest';
import { metadataOf } from '../../../../tests/support/hand-made-vocabulary.js';
import type { Hyperparameters } from '../architectures/index.js';
import type { GgufModel } from '../gguf/index.js';
import { checkVocabulary } from './limits.js';

/** Warnings for a file of three tokens whose embedding table has so many rows. */
async function warningsFor(rows: number, stated: number, architecture = 'test'): Promise<string[]> {
  const key = (name: string) => `${architecture}.${name}`;
  const metadata = await metadataOf({ tokens: ['a', 'b', 'c'], [key('vocab_size')]: stated });
  const warnings: string[] = [];
  const sizes = { vocabularySize: rows, key } as Hyperparameters;
  checkVocabulary({ metadata } as GgufModel, sizes, (warning) => warnings.push(warning));
  return warnings;
}

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
