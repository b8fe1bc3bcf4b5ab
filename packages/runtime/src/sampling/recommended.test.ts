import { describe, expect, it } from 'vitest';
import type { GgufMetadata, GgufValue } from '../gguf/gguf-value.js';
import { recommendedSampling } from './recommended.js';

const float = (value: number): GgufValue => ({ type: 'float32', offset: 0, value: Math.fround(value) });
const integer = (value: number): GgufValue => ({ type: 'int32', offset: 0, value });
const text = (value: string): GgufValue => ({ type: 'string', offset: 0, value });

function from(entries: Record<string, GgufValue>) {
  const metadata: GgufMetadata = new Map(
    Object.entries(entries).map(([name, value]) => [`general.sampling.${name}`, value]),
  );
  return recommendedSampling(metadata);
}

describe('recommendedSampling', () => {
  it('reads the keys that a file has, floats as the decimals they stand for', () => {
    const { values, warnings } = from({
      temp: float(0.7),
      top_k: integer(20),
      top_p: float(0.8),
      min_p: float(0.05),
      penalty_repeat: float(1.05),
      penalty_last_n: integer(-1),
    });
    expect(values).toEqual({
      temperature: 0.7,
      topK: 20,
      topP: 0.8,
      minP: 0.05,
      repeatPenalty: 1.05,
      penaltyLastN: -1,
    });
    expect(warnings).toEqual([]);
  });

  it('recommends nothing where a file has no such keys', () => {
    expect(from({})).toEqual({ values: {}, warnings: [] });
  });

  it.each([
    ['temp', float(Number.NaN), 'a finite number of at least 0, found NaN'],
    ['top_k', integer(-5), 'an integer of at least 0, found -5'],
    ['top_p', text('much'), 'a number from 0 to 1, found string'],
    ['penalty_last_n', { type: 'uint64', offset: 0, value: 2n ** 60n }, 'found bigint'],
  ] as const)('leaves out %s where it makes no sense, and says so', (name, value, reason) => {
    const { values, warnings } = from({ [name]: value, min_p: float(0.1) });
    expect(values).toEqual({ minP: 0.1 });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(`general.sampling.${name}`);
    expect(warnings[0]).toContain(reason);
  });

  it('names advice on methods that are not offered, unless it turns them off', () => {
    const { warnings } = from({ mirostat: integer(2), xtc_probability: float(0), sequence: text('k;p') });
    expect(warnings).toEqual([
      'general.sampling.sequence is ignored: this method is not offered.',
      'general.sampling.mirostat is ignored: this method is not offered.',
    ]);
  });
});
