import { describe, expect, it } from 'vitest';
import { DraftRecord, proposeFromPrompt } from './prompt-lookup.js';

describe('what is proposed', () => {
  it('is what followed the last tokens before, most of them together, the latest place first', () => {
    expect(proposeFromPrompt([1, 2, 3, 9, 1, 2, 3], 2)).toEqual([9, 1]);
    expect(proposeFromPrompt([7, 2, 3, 9, 2, 3, 8, 2, 3], 2)).toEqual([8, 2]);
    expect(proposeFromPrompt([1, 2, 3, 9, 5, 2, 3, 8, 1, 2, 3], 1)).toEqual([9]);
  });

  it('is nothing where two tokens never stood together, or nothing is wanted', () => {
    expect(proposeFromPrompt([1, 2, 3, 4], 4)).toEqual([]);
    expect(proposeFromPrompt([1, 3, 2, 3], 4)).toEqual([]);
    expect(proposeFromPrompt([5], 4)).toEqual([]);
    expect(proposeFromPrompt([1, 2, 1, 2], 0)).toEqual([]);
  });

  it('goes round with a text that repeats itself', () => {
    expect(proposeFromPrompt([4, 4, 4, 4], 3)).toEqual([4, 4, 4]);
    expect(proposeFromPrompt([1, 2, 3, 1, 2], 8)).toEqual([3, 1, 2, 3, 1, 2, 3, 1]);
  });
});

describe('the record of drafts', () => {
  it('learns what is right, counts the first wrong one alone, and forgives', () => {
    const record = new DraftRecord();
    for (let i = 0; i < 50; i++) record.note(4, 4);
    expect(record.acceptance).toBeGreaterThan(0.95);
    const before = record.acceptance;
    record.note(4, 0);
    expect(record.acceptance).toBeCloseTo(0.9 * before, 9);
    for (let i = 0; i < 60; i++) record.note(2, 0);
    expect(record.acceptance).toBeLessThan(0.01);
    for (let i = 0; i < 500; i++) record.note(0, 0);
    expect(record.acceptance).toBeGreaterThan(0.4);
  });
});
