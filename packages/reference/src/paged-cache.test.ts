import { isPocketError } from '@pocketllm/abi';
import { describe, expect, it } from 'vitest';
import plugin from './index.js';

const layers = [
  { name: 'layer.0', kvHeads: 2, headSize: 32, valueSize: 32 },
  { name: 'layer.1', kvHeads: 1, headSize: 64, valueSize: 32 },
];
const open = async (format: 'f32' | 'f16' | 'q8_0' = 'f16', pages = 4) => {
  const backend = await plugin.open('reference');
  return { backend, cache: await backend.createCache({ layers, pages, format }) };
};
/** Values of one position over both layers. */
const valuesPerPosition = 2 * 32 * 2 + 64 + 32;

describe('PagedCache', () => {
  it.each([
    ['f32', 4],
    ['f16', 2],
    ['q8_0', 34 / 32],
  ] as const)(
    'has pages of %s that are read and written as bytes, layer after layer',
    async (format, size) => {
      const { cache } = await open(format);
      const page = await cache.readPage(1);
      expect(page).toEqual(new Uint8Array(32 * valuesPerPosition * size));
      const bytes = page.map((_, i) => i % 251);
      await cache.writePage(3, bytes);
      expect(await cache.readPage(3)).toEqual(bytes);
      expect(await cache.readPage(2)).toEqual(page);
    },
  );

  it('copies a page in every layer', async () => {
    const { cache } = await open();
    const bytes = (await cache.readPage(0)).fill(7);
    await cache.writePage(0, bytes);
    await cache.copyPage(0, 2);
    await cache.writePage(
      0,
      bytes.map(() => 9),
    );
    expect(await cache.readPage(2)).toEqual(bytes);
  });

  it('gives bytes that are the caller’s own', async () => {
    const { cache } = await open();
    (await cache.readPage(0)).fill(7);
    expect((await cache.readPage(0))[0]).toBe(0);
  });

  it('refuses pages that it has not, and bytes of another size', async () => {
    const { cache } = await open();
    for (const page of [-1, 4, 0.5, Number.NaN]) {
      await expect(cache.readPage(page)).rejects.toThrow(TypeError);
      await expect(cache.copyPage(0, page)).rejects.toThrow(TypeError);
    }
    await expect(cache.writePage(0, new Uint8Array(3))).rejects.toThrow('not 3');
  });

  it('of q8_0 needs heads of whole blocks', async () => {
    const { backend } = await open();
    const odd = [{ name: 'layer.0', kvHeads: 1, headSize: 48, valueSize: 64 }];
    const error = await backend
      .createCache({ layers: odd, pages: 1, format: 'q8_0' })
      .catch((caught: unknown) => caught);
    expect(isPocketError(error, 'OP_UNSUPPORTED') && error.details).toMatchObject({
      ...{ op: 'attention', format: 'q8_0', device: 'reference' },
      reason: expect.stringContaining('headSize is a multiple of 32, not 48'),
    });
    await expect(backend.createCache({ layers: odd, pages: 1, format: 'f16' })).resolves.toBeDefined();
  });

  it('has at least one page', async () => {
    const { backend } = await open();
    for (const pages of [0, 1.5, Number.NaN]) {
      await expect(backend.createCache({ layers, pages, format: 'f16' })).rejects.toThrow(TypeError);
    }
  });

  it('that does not fit is OUT_OF_MEMORY and holds nothing', async () => {
    const { backend, cache } = await open();
    await cache.close();
    const error = await backend
      .createCache({ layers, pages: 2 ** 40, format: 'f16' })
      .catch((caught: unknown) => caught);
    expect(isPocketError(error, 'OUT_OF_MEMORY') && error.details.what).toBe(`${2 ** 40} cache pages`);
    expect(backend.memory()).toEqual({ weights: 0, caches: 0, scratch: 0 });
  });
});
