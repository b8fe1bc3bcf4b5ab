import { describe, expect, it } from 'vitest';
import { logprobs } from './logprobs.js';

const fromProbabilities = (...probabilities: number[]) =>
  Float32Array.from(probabilities, (probability) => Math.log(probability) + 10);

describe('logprobs', () => {
  it('gives natural logarithms of softmax, of the token and of the likeliest', () => {
    const { id, logprob, top } = logprobs(fromProbabilities(0.2, 0.5, 0.05, 0.25), 2, 3);
    expect(id).toBe(2);
    expect(logprob).toBeCloseTo(Math.log(0.05), 5);
    expect(top.map((entry) => entry.id)).toEqual([1, 3, 0]);
    for (const [place, probability] of [0.5, 0.25, 0.2].entries()) {
      expect(top[place]!.logprob).toBeCloseTo(Math.log(probability), 5);
    }
  });

  it('gives the smaller id first among equals, and no list where none is asked for', () => {
    expect(logprobs(Float32Array.of(1, 1, 1), 2, 2).top.map((entry) => entry.id)).toEqual([0, 1]);
    expect(logprobs(Float32Array.of(1, 1, 1), 2, 0).top).toEqual([]);
  });

  it('gives what is far down its own value', () => {
    expect(logprobs(Float32Array.of(0, -1000), 1, 1)).toEqual({
      id: 1,
      logprob: -1000,
      top: [{ id: 0, logprob: 0 }],
    });
  });

  it('gives -Infinity for what can never be chosen, and lists it nowhere', () => {
    const row = Float32Array.of(Number.NaN, 0, Number.NEGATIVE_INFINITY);
    expect(logprobs(row, 0, 3)).toEqual({
      id: 0,
      logprob: Number.NEGATIVE_INFINITY,
      top: [{ id: 1, logprob: 0 }],
    });
    expect(logprobs(row, 2, 0).logprob).toBe(Number.NEGATIVE_INFINITY);
    const empty = new Float32Array(3).fill(Number.NaN);
    expect(logprobs(empty, 0, 2)).toEqual({ id: 0, logprob: Number.NEGATIVE_INFINITY, top: [] });
  });

  it('refuses a token that the row does not have and a count that is none', () => {
    expect(() => logprobs(new Float32Array(3), 3, 1)).toThrow(TypeError);
    expect(() => logprobs(new Float32Array(3), -1, 1)).toThrow(TypeError);
    expect(() => logprobs(new Float32Array(3), 0, -1)).toThrow(TypeError);
  });
});
