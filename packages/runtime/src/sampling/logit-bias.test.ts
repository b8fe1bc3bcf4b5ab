import { describe, expect, it } from 'vitest';
import { addLogitBias, checkLogitBias } from './logit-bias.js';

const refusal = (details: object) =>
  expect.objectContaining({ code: 'REQUEST_INVALID', details: expect.objectContaining(details) });

describe('checkLogitBias', () => {
  it('gives numbers by token id, without those that change nothing', () => {
    const bias = checkLogitBias({ 5: 1.5, 0: Number.NEGATIVE_INFINITY, 7: 0 }, 8);
    expect([...bias]).toEqual([
      [0, Number.NEGATIVE_INFINITY],
      [5, 1.5],
    ]);
    expect(checkLogitBias(undefined).size).toBe(0);
  });

  it.each(['abc', '-1', '1.5', '', '1e3', '0x10', ' 1', '__proto', '9'.repeat(400)])(
    'refuses the key %j',
    (key) => {
      const found = JSON.stringify(key.slice(0, 40));
      expect(() => checkLogitBias({ [key]: 1 })).toThrow(refusal({ field: 'logitBias', found }));
    },
  );

  it('refuses an id beyond the vocabulary', () => {
    expect(() => checkLogitBias({ 8: 1 }, 8)).toThrow(
      refusal({ field: 'logitBias', expected: 'token ids below 8', found: '8' }),
    );
  });

  it.each([
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    ['1', 'string'],
    [null, 'null'],
  ])('refuses the value %j', (value, found) => {
    expect(() => checkLogitBias({ 3: value as number })).toThrow(refusal({ field: 'logitBias[3]', found }));
  });

  it.each([
    [[1, 2], 'array'],
    [null, 'null'],
    ['x', 'string'],
  ] as const)('refuses %j for the whole', (whole, found) => {
    const bias = whole as unknown as Record<number, number>;
    expect(() => checkLogitBias(bias)).toThrow(refusal({ field: 'logitBias', found }));
  });
});

describe('addLogitBias', () => {
  it('adds to the logits named', () => {
    const row = Float32Array.of(1, 2, 3);
    addLogitBias(row, checkLogitBias({ 0: -0.5, 2: Number.NEGATIVE_INFINITY }));
    expect([...row]).toEqual([0.5, 2, Number.NEGATIVE_INFINITY]);
  });

  it('refuses an id that the row does not have', () => {
    expect(() => addLogitBias(new Float32Array(3), checkLogitBias({ 3: 1 }))).toThrow(
      refusal({ field: 'logitBias', found: '3' }),
    );
  });
});
