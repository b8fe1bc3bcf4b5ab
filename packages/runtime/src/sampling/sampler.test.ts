import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { largest } from './largest.js';
import type { SamplingOptions } from './options.js';
import { resolveSampling } from './resolve.js';
import { Sampler } from './sampler.js';

/** Everything off at temperature 1: draws from the plain softmax. */
const plain: SamplingOptions = { temperature: 1, topK: 0, topP: 1, seed: 1 };

const sampler = (options: SamplingOptions) => new Sampler(resolveSampling(options));
const withProbabilities = (...probabilities: number[]) => Float32Array.from(probabilities, Math.log);

function drawn(options: SamplingOptions, row: Float32Array, count: number): number[] {
  const one = sampler(options);
  return Array.from({ length: count }, () => one.sample(row, []));
}

const seen = (options: SamplingOptions, row: Float32Array) =>
  [...new Set(drawn(options, row, 500))].sort((a, b) => a - b);

/** Sum of (observed - expected)^2 / expected over `draws` tokens. */
function chiSquare(tokens: readonly number[], probabilities: readonly number[]): number {
  return probabilities.reduce((sum, probability, id) => {
    const expected = probability * tokens.length;
    return sum + (tokens.filter((token) => token === id).length - expected) ** 2 / expected;
  }, 0);
}

describe('distributions', () => {
  const probabilities = [0.4, 0.05, 0.3, 0.15, 0.1];
  const row = withProbabilities(...probabilities);

  // 4 degrees of freedom: 18.5 is passed once in 1000.
  it.each([1, 2, 3])('follow the softmax at temperature 1 (seed %d)', (seed) => {
    expect(chiSquare(drawn({ ...plain, seed }, row, 20_000), probabilities)).toBeLessThan(18.5);
  });

  it.each([0.5, 2])('follow the softmax of logits divided by temperature %d', (temperature) => {
    const powers = probabilities.map((probability) => probability ** (1 / temperature));
    const total = powers.reduce((sum, power) => sum + power, 0);
    const expected = powers.map((power) => power / total);
    expect(chiSquare(drawn({ ...plain, temperature }, row, 20_000), expected)).toBeLessThan(18.5);
  });

  it('keep their proportions within what top-k leaves', () => {
    const tokens = drawn({ ...plain, topK: 2 }, row, 20_000);
    const counts = [tokens.filter((id) => id === 0).length, tokens.filter((id) => id === 2).length];
    expect(counts[0]! + counts[1]!).toBe(20_000);
    expect(
      chiSquare(
        tokens.map((id) => id / 2),
        [4 / 7, 3 / 7],
      ),
    ).toBeLessThan(10.8); // 1 degree
  });
});

describe('a seed', () => {
  const row = Float32Array.from({ length: 1000 }, (_, id) => Math.fround(((id * 7919) % 1000) / 100));

  // Worked out by a separate implementation.
  it('gives the recorded tokens', () => {
    expect(drawn({ seed: 42 }, row, 12)).toEqual([
      568, 321, 852, 173, 136, 494, 815, 963, 889, 531, 605, 247,
    ]);
    expect(drawn({ ...plain, seed: 42 }, row, 12)).toEqual([
      420, 1, 643, 680, 840, 741, 815, 173, 519, 606, 261, 359,
    ]);
  });

  it('gives the same tokens again, another seed others', () => {
    expect(drawn({ ...plain, seed: 7 }, row, 50)).toEqual(drawn({ ...plain, seed: 7 }, row, 50));
    expect(drawn({ ...plain, seed: 7 }, row, 50)).not.toEqual(drawn({ ...plain, seed: 8 }, row, 50));
  });
});

describe('greedy', () => {
  it('takes the largest logit, the smaller id among equals, never NaN', () => {
    const row = Float32Array.of(Number.NaN, 1, 3, Number.NEGATIVE_INFINITY, 3);
    expect(sampler({ temperature: 0 }).sample(row, [])).toBe(2);
    expect(sampler({ topK: 1 }).sample(row, [])).toBe(2);
    expect(sampler({ temperature: 1e-300, topK: 0 }).sample(Float32Array.of(1, 3, 2), [])).toBe(1);
  });

  it('follows penalties and bias', () => {
    const row = Float32Array.of(2, 3, 1);
    expect(sampler({ temperature: 0, repeatPenalty: 2 }).sample(row, [1])).toBe(0);
    expect(sampler({ temperature: 0, logitBias: { 2: 5 } }).sample(row, [])).toBe(2);
  });
});

describe('order of the steps', () => {
  it('penalties come before bias', () => {
    // 2 / 2 + 1 = 2 beats 1.75; (2 + 1) / 2 = 1.5 would not.
    const options = { temperature: 0, repeatPenalty: 2, logitBias: { 0: 1 } };
    expect(sampler(options).sample(Float32Array.of(2, 1.75), [0])).toBe(0);
  });

  it('temperature comes before top-p', () => {
    const row = withProbabilities(0.5, 0.3, 0.2);
    expect(seen({ ...plain, topP: 0.6 }, row)).toEqual([0, 1]);
    expect(seen({ ...plain, topP: 0.6, temperature: 0.25 }, row)).toEqual([0]); // 0.87, 0.11, 0.02
  });

  it('top-k comes before top-p', () => {
    const row = withProbabilities(0.5, 0.3, 0.2);
    expect(seen({ ...plain, topP: 0.6, topK: 2 }, row)).toEqual([0]); // 0.625, 0.375
  });

  it('top-k comes before typical', () => {
    const row = withProbabilities(0.4, 0.2, 0.2, 0.1, 0.1);
    expect(seen({ ...plain, typicalP: 0.1 }, row)).toEqual([1]); // entropy 1.47, nearest to -ln 0.2
    expect(seen({ ...plain, typicalP: 0.1, topK: 2 }, row)).toEqual([0]); // 2/3, 1/3: entropy 0.64
  });

  it('typical comes before top-p', () => {
    const row = withProbabilities(0.5, 0.3, 0.15, 0.05);
    expect(seen({ ...plain, typicalP: 0.2, topP: 0.5 }, row)).toEqual([1]);
    expect(seen({ ...plain, typicalP: 0.6, topP: 0.5 }, row)).toEqual([0]);
  });

  it('min-p measures against the likeliest that is left', () => {
    const row = withProbabilities(0.5, 0.3, 0.15, 0.05);
    expect(seen({ ...plain, minP: 0.5 }, row)).toEqual([0, 1]);
    expect(seen({ ...plain, typicalP: 0.2, minP: 1 }, row)).toEqual([1]);
  });
});

describe('what stays on the device', () => {
  it('is the whole choice where argmax decides', () => {
    for (const options of [{ temperature: 0 }, { topK: 1 }, { temperature: 0, topK: 0, topP: 0.5 }]) {
      expect(sampler(options)).toMatchObject({ readsLogits: false, deviceTopK: 1 });
    }
  });

  it('is top-k where nothing changes the logits', () => {
    expect(sampler({ topK: 20 })).toMatchObject({ readsLogits: true, deviceTopK: 20 });
    expect(sampler({ topK: 0 })).toMatchObject({ readsLogits: true, deviceTopK: undefined });
  });

  it('is nothing where penalties or bias change the logits', () => {
    for (const some of [{ repeatPenalty: 1.1 }, { presencePenalty: 1 }, { logitBias: { 3: 1 } }]) {
      const changed = sampler({ temperature: 0, ...some });
      expect(changed).toMatchObject({ readsLogits: true, deviceTopK: undefined });
    }
    expect(sampler({ temperature: 0, logitBias: { 3: 0 } }).readsLogits).toBe(false);
  });
});

describe('rows that are no distribution', () => {
  it.each([0, 1, 20])('end in an error where all is NaN and -Infinity (top-k %d)', (topK) => {
    const expected = expect.objectContaining({ code: 'LOGITS_INVALID' });
    for (const row of [
      new Float32Array(8).fill(Number.NaN),
      Float32Array.of(-Infinity, Number.NaN),
      new Float32Array(0),
    ]) {
      expect(() => sampler({ topK }).sample(row, [])).toThrow(expected);
      expect(() => sampler({ topK }).sampleTopK(row, new Int32Array(row.length))).toThrow(expected);
    }
  });

  it('are the fault of the request where bias forbids every token', () => {
    const options = { logitBias: { 0: -Infinity, 1: -Infinity } };
    expect(() => sampler(options).sample(Float32Array.of(1, 2), [])).toThrow(
      expect.objectContaining({ code: 'REQUEST_INVALID' }),
    );
  });

  it('give the tokens of infinite logit where there are some', () => {
    const row = Float32Array.of(1, Infinity, 2, Infinity);
    expect(seen(plain, row)).toEqual([1, 3]);
    expect(seen({ ...plain, topP: 0.9, minP: 0.1, typicalP: 0.9 }, row)).toEqual([1, 3]);
  });
});

describe('any settings on any row', () => {
  const options = fc.record({
    temperature: fc.constantFrom(0, 1e-3, 0.6, 1, 5, 1e300),
    topK: fc.constantFrom(0, 1, 2, 20, 1000),
    topP: fc.constantFrom(0, 0.3, 0.95, 1),
    minP: fc.constantFrom(0, 0.05, 1),
    typicalP: fc.constantFrom(0, 0.5, 1),
    seed: fc.maxSafeInteger(),
  });
  const row = fc.float32Array({ minLength: 1, maxLength: 50 });
  const usable = (logits: Float32Array) => logits.some((logit) => logit > -Infinity);

  it('give a token that can be chosen and leave the row as it was', () => {
    const penalties = fc.record({
      repeatPenalty: fc.constantFrom(1, 1.3, 1e308),
      frequencyPenalty: fc.constantFrom(0, -2, 0.5),
    });
    const history = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 8 });
    fc.assert(
      fc.property(options, penalties, row.filter(usable), history, (some, penalty, logits, past) => {
        const before = logits.slice();
        const one = sampler({ ...some, ...penalty, penaltyLastN: 4 });
        const penalized = past.slice(-4);
        fc.pre(logits.some((logit, id) => logit > -Infinity && !penalized.includes(id)));
        const token = one.sample(logits, past);
        expect(logits[token]).toBeGreaterThan(-Infinity);
        expect(logits).toEqual(before);
      }),
    );
  });

  it("give from the device's top-k what they give from the row", () => {
    fc.assert(
      fc.property(options, row.filter(usable), (some, logits) => {
        const [one, other] = [sampler(some), sampler(some)];
        fc.pre(one.deviceTopK !== undefined);
        const ids = largest(logits, one.deviceTopK!);
        // The op lists what is never chosen last.
        const values = Float32Array.from([...Array.from(ids, (id) => logits[id]!), Number.NaN]);
        for (let turn = 0; turn < 3; turn++) {
          expect(one.sample(logits, [])).toBe(other.sampleTopK(values, Int32Array.from([...ids, 0])));
        }
      }),
    );
  });

  it('take the likeliest where each filter leaves one token', () => {
    fc.assert(
      fc.property(row.filter(usable), fc.maxSafeInteger(), (logits, seed) => {
        const best = largest(logits, 1)[0];
        for (const one of [{ topK: 1 }, { topK: 0, topP: 0 }, { temperature: 0 }]) {
          expect(sampler({ ...one, seed }).sample(logits, [])).toBe(best);
        }
      }),
    );
  });
});

it('a token of a vocabulary of 151,936 takes milliseconds', () => {
  const row = Float32Array.from({ length: 151_936 }, (_, id) => Math.sin(id * 12.9898) * 8);
  const one = sampler({ seed: 1, repeatPenalty: 1.1 });
  const times = Array.from({ length: 31 }, () => {
    const start = performance.now();
    one.sample(row, [1, 2, 3]);
    return performance.now() - start;
  });
  // Around 1 ms; the bound leaves room for a busy machine and still fails for a full sort.
  expect(times.sort((a, b) => a - b)[5]).toBeLessThan(8);
});
