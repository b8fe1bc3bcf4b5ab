import { describe, expect, it } from 'vitest';
import type { SamplingOptions } from './options.js';
import { resolveSampling } from './resolve.js';

describe('resolveSampling', () => {
  it("falls back on Qwen3's advice, with everything else off", () => {
    const { seed, ...rest } = resolveSampling({});
    expect(rest).toEqual({
      temperature: 0.6,
      topK: 20,
      topP: 0.95,
      minP: 0,
      typicalP: 1,
      repeatPenalty: 1,
      presencePenalty: 0,
      frequencyPenalty: 0,
      penaltyLastN: 64,
      logitBias: new Map(),
    });
    expect(Number.isSafeInteger(seed)).toBe(true);
  });

  it("prefers the request to the model's advice, and that to the fallback", () => {
    const settled = resolveSampling({ topP: 0.5 }, { topP: 0.8, topK: 40, penaltyLastN: 128 });
    expect(settled).toMatchObject({ topP: 0.5, topK: 40, penaltyLastN: 128, temperature: 0.6 });
  });

  it('takes 0 from a request as a value', () => {
    expect(resolveSampling({ temperature: 0, topK: 0, seed: 0 }, { temperature: 1, topK: 5 })).toMatchObject({
      temperature: 0,
      topK: 0,
      seed: 0,
    });
  });

  it('draws another seed each time where none is given', () => {
    const seeds = new Set(Array.from({ length: 20 }, () => resolveSampling({}).seed));
    expect(seeds.size).toBe(20);
  });

  it('leaves other fields of a request alone', () => {
    const options = { temperature: 1, maxTokens: -5, stop: 'x' } as SamplingOptions;
    expect(resolveSampling(options)).not.toHaveProperty('maxTokens');
  });

  it('checks the ids of a bias against the vocabulary', () => {
    expect(resolveSampling({ logitBias: { 9: 1 } }, {}, 10).logitBias.get(9)).toBe(1);
    expect(() => resolveSampling({ logitBias: { 10: 1 } }, {}, 10)).toThrow('below 10');
  });

  it.each([
    ['temperature', -0.1, '-0.1'],
    ['temperature', Number.NaN, 'NaN'],
    ['temperature', Number.POSITIVE_INFINITY, 'Infinity'],
    ['temperature', '0.5', 'string'],
    ['temperature', null, 'null'],
    ['topK', -1, '-1'],
    ['topK', 1.5, '1.5'],
    ['topP', 1.01, '1.01'],
    ['topP', -0.01, '-0.01'],
    ['minP', 2, '2'],
    ['typicalP', Number.NaN, 'NaN'],
    ['repeatPenalty', 0, '0'],
    ['presencePenalty', Number.NEGATIVE_INFINITY, '-Infinity'],
    ['frequencyPenalty', {}, 'object'],
    ['penaltyLastN', -2, '-2'],
    ['seed', 2 ** 53, '9007199254740992'],
    ['seed', 0.5, '0.5'],
    ['seed', 1n, 'bigint'],
  ])('refuses %s of %s', (field, value, found) => {
    expect(() => resolveSampling({ [field]: value } as SamplingOptions)).toThrow(
      expect.objectContaining({
        code: 'REQUEST_INVALID',
        details: { field, expected: expect.stringMatching(/number|integer/), found },
      }),
    );
  });
});
