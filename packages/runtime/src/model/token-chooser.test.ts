import { describe, expect, it } from 'vitest';
import { resolveSampling } from '../sampling/index.js';
import { TokenChooser } from './token-chooser.js';

const greedy = resolveSampling({ temperature: 0 });

describe('TokenChooser', () => {
  it('takes the device choice of a greedy answer without reading logits', () => {
    const chooser = new TokenChooser(greedy, new Set([3]));
    expect(chooser.readsLogits).toBe(false);
    expect(chooser.choose({ best: 2, bestLogit: 1 }, [])).toBe(2);
  });

  it('wants the logits where the device chose a forbidden token, and takes the best of the others', () => {
    const chooser = new TokenChooser(greedy, new Set([3]));
    const logits = Float32Array.of(0, 5, 4, 9);
    expect(chooser.choose({ best: 3, bestLogit: 9 }, [])).toBeUndefined();
    expect(chooser.choose({ best: 3, bestLogit: 9, logits }, [])).toBe(1);
  });

  it('never draws a forbidden token', () => {
    const chooser = new TokenChooser(
      resolveSampling({ temperature: 1, topK: 0, topP: 1, seed: 1 }),
      new Set([0]),
    );
    const logits = Float32Array.of(20, 0, 0);
    const drawn = new Set<number>();
    for (let i = 0; i < 50; i++) drawn.add(chooser.choose({ best: 0, bestLogit: 20, logits }, [])!);
    expect(drawn).toEqual(new Set([1, 2]));
  });

  it('makes an error of a row without a number', () => {
    const chooser = new TokenChooser(greedy, new Set());
    const logits = Float32Array.of(Number.NaN, Number.NaN);
    expect(chooser.choose({ best: 0, bestLogit: Number.NaN }, [])).toBeUndefined();
    expect(() => chooser.choose({ best: 0, bestLogit: Number.NaN, logits }, [])).toThrow(
      expect.objectContaining({ code: 'LOGITS_INVALID' }),
    );
  });
});
