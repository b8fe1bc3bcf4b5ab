import { describe, expect, it } from 'vitest';
import { resolveSampling, type SamplingOptions } from '../sampling/index.js';
import { largest } from '../sampling/largest.js';
import { TokenChooser } from './token-chooser.js';

const greedy = resolveSampling({ temperature: 0 });
const device = { likeliest: 8 };

describe('TokenChooser', () => {
  it('takes the device choice of a greedy answer without reading logits', () => {
    const chooser = new TokenChooser(greedy, new Set([3]), device);
    expect(chooser.reads).toBe('best');
    expect(chooser.choose({ best: 2, bestLogit: 1 }, [])).toBe(2);
  });

  it('wants the logits where the device chose a forbidden token, and takes the best of the others', () => {
    const chooser = new TokenChooser(greedy, new Set([3]), device);
    const logits = Float32Array.of(0, 5, 4, 9);
    expect(chooser.choose({ best: 3, bestLogit: 9 }, [])).toBeUndefined();
    expect(chooser.choose({ best: 3, bestLogit: 9, logits }, [])).toBe(1);
  });

  it('never draws a forbidden token', () => {
    const chooser = new TokenChooser(
      resolveSampling({ temperature: 1, topK: 0, topP: 1, seed: 1 }),
      new Set([0]),
      device,
    );
    const logits = Float32Array.of(20, 0, 0);
    const drawn = new Set<number>();
    for (let i = 0; i < 50; i++) drawn.add(chooser.choose({ best: 0, bestLogit: 20, logits }, [])!);
    expect(drawn).toEqual(new Set([1, 2]));
  });

  it('chooses among the likeliest as it would from the logits, forbidden tokens left out', () => {
    const logits = Float32Array.from({ length: 40 }, (_, id) => ((id * 17) % 40) / 8);
    for (const forbidden of [[], [7, 14], [7, 14, 21]]) {
      const choosers = [1, 2].map(() => {
        const settings = resolveSampling({ temperature: 1, topK: 6, topP: 0.9, seed: 5 });
        return new TokenChooser(settings, new Set(forbidden), device);
      });
      expect(choosers[0]!.reads).toBe('likeliest');
      const ids = largest(logits, device.likeliest);
      const likeliest = { ids, logits: Float32Array.from(ids, (id) => logits[id]!) };
      const row = { best: ids[0]!, bestLogit: likeliest.logits[0]! };
      for (let i = 0; i < 50; i++) {
        const chosen = choosers[0]!.choose({ ...row, likeliest }, []);
        const expected = choosers[1]!.choose({ ...row, logits }, []);
        // Of eight, five are not enough.
        if (forbidden.length === 3) expect(chosen).toBeUndefined();
        else expect(chosen).toBe(expected);
      }
    }
  });

  it('reads logits where the likeliest are too few, or something else decides', () => {
    const reads = (options: SamplingOptions, needsLogits = false) =>
      new TokenChooser(resolveSampling(options), new Set(), { ...device, needsLogits }).reads;
    expect(reads({ topK: 8 })).toBe('likeliest');
    expect(reads({ topK: 9 })).toBe('logits');
    expect(reads({ topK: 0 })).toBe('logits');
    expect(reads({ topK: 8, repeatPenalty: 1.1 })).toBe('logits');
    expect(reads({ topK: 8 }, true)).toBe('logits');
  });

  it('makes an error of a row without a number', () => {
    const chooser = new TokenChooser(greedy, new Set(), device);
    const logits = Float32Array.of(Number.NaN, Number.NaN);
    expect(chooser.choose({ best: 0, bestLogit: Number.NaN }, [])).toBeUndefined();
    expect(() => chooser.choose({ best: 0, bestLogit: Number.NaN, logits }, [])).toThrow(
      expect.objectContaining({ code: 'LOGITS_INVALID' }),
    );
  });
});
