import { cacheFormats, ops, supportsCacheFormat, weightFormats } from '@pocketllm/abi';
import { describe, expect, it } from 'vitest';
import { capabilities } from './capabilities.js';
import plugin from './index.js';
import { kernels } from './ops/index.js';

const formatsOfWeights = Object.values(weightFormats)
  .filter(({ use }) => use === 'weights')
  .map(({ name }) => name);

describe('the capabilities file', () => {
  it('claims every op, and there is a kernel for each', () => {
    const claimed = new Set(capabilities.ops.map(({ op }) => op));
    expect([...claimed].sort()).toEqual(Object.keys(ops).sort());
    expect(Object.keys(kernels).sort()).toEqual(Object.keys(ops).sort());
  });

  it.each(['embedding', 'matmul', 'matmul_experts', 'encode'])(
    'claims %s in every format that files hold weights in',
    (op) => {
      expect(capabilities.ops.find((row) => row.op === op)?.formats).toEqual(formatsOfWeights);
    },
  );

  it('claims every cache format and every equality', () => {
    for (const format of cacheFormats) expect(supportsCacheFormat(capabilities, format)).toBe(true);
    expect(capabilities.bitExact).toEqual(['batch', 'chunks', 'pages', 'threads']);
  });

  it('limits nothing but the heads of a q8_0 cache', () => {
    expect(capabilities.ops.filter(({ limits }) => limits).map(({ caches }) => caches)).toEqual([['q8_0']]);
    expect(capabilities.ops.filter(({ attributes }) => attributes)).toEqual([]);
  });
});

describe('the plugin', () => {
  it('offers one device, with the capabilities of the file', async () => {
    expect(plugin).toMatchObject({ abi: 1, name: capabilities.name });
    const { devices, reason } = await plugin.probe();
    expect(reason).toBeUndefined();
    expect(devices).toMatchObject([{ id: 'reference', class: 'cpu', capabilities }]);
    expect((await plugin.open('reference')).device).toEqual(devices[0]);
  });

  it('opens no other device', async () => {
    await expect(plugin.open('avx2')).rejects.toMatchObject({
      code: 'BACKEND_UNAVAILABLE',
      details: { backend: 'reference' },
    });
  });
});
