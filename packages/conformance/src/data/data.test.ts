import { type WeightFormatName, weightFormats } from '@pocketllm/abi';
import { decodeRow } from '@pocketllm/reference';
import { describe, expect, it } from 'vitest';
import { GuardedArrays } from './guarded.js';
import { Random } from './random.js';
import { randomBlocks } from './random-blocks.js';

describe('Random', () => {
  it('gives the same numbers for the same name, and others for another', () => {
    const words = (name: string) => Array.from({ length: 4 }, () => new Random(name).word());
    expect(words('a')).toEqual(words('a'));
    expect(words('a')).not.toEqual(words('b'));
  });

  it('gives the numbers that recorded tokens rest on', () => {
    const random = new Random('tiny model');
    expect([random.word(), random.word(), random.below(1000)]).toEqual([1970983501, 966473387, 870]);
  });

  it('has mean 0 and variance 1', () => {
    const values = new Random('normal').floats(10_000);
    const mean = values.reduce((a, b) => a + b) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    expect(Math.abs(mean)).toBeLessThan(0.05);
    expect(Math.abs(variance - 1)).toBeLessThan(0.05);
  });

  it('orders every number once', () => {
    expect(new Random('order').order(50).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, i) => i),
    );
  });
});

describe('randomBlocks', () => {
  const formats = Object.keys(weightFormats) as WeightFormatName[];

  it.each(formats)('%s: weights are finite, of ordinary size, on both sides of zero', (format) => {
    const count = 1024;
    const decoded = new Float32Array(count);
    decodeRow(format, randomBlocks(format, count, new Random(format)), decoded);
    const largest = decoded.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
    expect(largest).toBeGreaterThan(0.1);
    expect(largest).toBeLessThan(20);
    const positive = decoded.filter((weight) => weight > 0).length;
    expect(positive).toBeGreaterThan(count / 8);
    expect(positive).toBeLessThan((count * 7) / 8);
  });
});

describe('GuardedArrays', () => {
  it('names arrays that were written to or beyond, and no others', () => {
    const guards = new GuardedArrays();
    guards.floatsOrIntegers('untouched', Float32Array.of(1, 2));
    const within = guards.floatsOrIntegers('within', Int32Array.of(1, 2));
    const beyond = guards.bytes('beyond', Uint8Array.of(1, 2));
    expect([...within, ...beyond]).toEqual([1, 2, 1, 2]);
    expect(guards.changed()).toEqual([]);
    within[1] = 3;
    new Uint8Array(beyond.buffer)[beyond.byteOffset + 2] = 0;
    expect(guards.changed()).toEqual(['within', 'beyond']);
  });
});
