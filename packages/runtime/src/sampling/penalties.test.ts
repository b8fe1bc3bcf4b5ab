import { describe, expect, it } from 'vitest';
import { type Penalties, penalize, penalizes } from './penalties.js';

const off: Penalties = { repeatPenalty: 1, presencePenalty: 0, frequencyPenalty: 0, penaltyLastN: 64 };

function penalized(logits: readonly number[], history: readonly number[], some: Partial<Penalties>) {
  const row = Float32Array.from(logits);
  penalize(row, history, { ...off, ...some });
  return [...row];
}

describe('penalize', () => {
  it('divides logits above 0 and multiplies the others, once however often the token stands there', () => {
    expect(penalized([4, -4, 0, 4], [0, 1, 2, 0, 0], { repeatPenalty: 2 })).toEqual([2, -8, 0, 4]);
  });

  it('subtracts presence once and frequency by count', () => {
    const some = { presencePenalty: 0.5, frequencyPenalty: 0.25 };
    expect(penalized([4, 4, 4], [0, 1, 0, 0], some)).toEqual([2.75, 3.25, 4]);
  });

  it('subtracts after it divides', () => {
    expect(penalized([4], [0], { repeatPenalty: 2, presencePenalty: 1 })).toEqual([1]);
  });

  it('looks back on the last N tokens alone', () => {
    const history = [0, 1, 2, 2];
    expect(penalized([8, 8, 8], history, { frequencyPenalty: 1, penaltyLastN: 3 })).toEqual([8, 7, 6]);
    expect(penalized([8, 8, 8], history, { frequencyPenalty: 1, penaltyLastN: 1 })).toEqual([8, 8, 7]);
    expect(penalized([8, 8, 8], history, { frequencyPenalty: 1, penaltyLastN: 0 })).toEqual([8, 8, 8]);
  });

  it('looks back on everything with -1', () => {
    const history = new Array<number>(1000).fill(1);
    expect(penalized([8, 8], [0, ...history], { presencePenalty: 1, penaltyLastN: -1 })).toEqual([7, 7]);
  });

  it('raises tokens where a penalty is negative', () => {
    expect(penalized([1, 1], [1], { presencePenalty: -2 })).toEqual([1, 3]);
  });

  it('passes over ids that the row does not have', () => {
    expect(penalized([1, 1], [-1, 2, 1_000_000, 0], { presencePenalty: 1 })).toEqual([0, 1]);
  });
});

describe('penalizes', () => {
  it('is false exactly where no logit can change', () => {
    expect(penalizes(off)).toBe(false);
    expect(penalizes({ ...off, repeatPenalty: 1.1 })).toBe(true);
    expect(penalizes({ ...off, presencePenalty: -1 })).toBe(true);
    expect(penalizes({ ...off, frequencyPenalty: 0.1 })).toBe(true);
    expect(penalizes({ ...off, repeatPenalty: 1.1, penaltyLastN: 0 })).toBe(false);
  });
});
