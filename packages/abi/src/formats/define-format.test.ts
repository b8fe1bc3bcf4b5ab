import { describe, expect, it } from 'vitest';
import { defineFormat, rowBytes } from './define-format.js';

const halfAndByte = {
  name: 'test',
  ggufType: 200,
  block: { weights: 1, bytes: 3 },
  use: 'weights',
  importance: 'ignored',
} as const;

describe('defineFormat', () => {
  it('refuses a gap between two fields', () => {
    const fields = { scale: { offset: 0, type: 'f16' }, q: { offset: 3, type: 'u8' } } as const;
    expect(() => defineFormat({ ...halfAndByte, fields })).toThrow('test.q starts at byte 3');
  });

  it('refuses two fields that overlap', () => {
    const fields = { scale: { offset: 0, type: 'f16' }, q: { offset: 1, type: 'u8', count: 2 } } as const;
    expect(() => defineFormat({ ...halfAndByte, fields })).toThrow('test.q starts at byte 1');
  });

  it('refuses fields that end before the block does', () => {
    const fields = { scale: { offset: 0, type: 'f16' } } as const;
    expect(() => defineFormat({ ...halfAndByte, fields })).toThrow('end at byte 2 of a block of 3');
  });

  it('takes fields in any order', () => {
    const fields = { q: { offset: 2, type: 'u8' }, scale: { offset: 0, type: 'f16' } } as const;
    expect(defineFormat({ ...halfAndByte, fields }).name).toBe('test');
  });
});

describe('rowBytes', () => {
  const fields = { q: { offset: 0, type: 'u8', count: 3 } } as const;
  const format = defineFormat({ ...halfAndByte, fields, block: { weights: 4, bytes: 3 } });

  it('counts whole blocks', () => expect(rowBytes(format, 12)).toBe(9));
  it('has no answer where the last block is not full', () => expect(rowBytes(format, 13)).toBeUndefined());
});
