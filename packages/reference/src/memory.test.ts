import { isPocketError } from '@pocketllm/abi';
import { describe, expect, it } from 'vitest';
import { Memory } from './memory.js';
import { Scratch } from './scratch.js';

const codeOf = (action: () => unknown) => {
  try {
    action();
  } catch (error) {
    return isPocketError(error) ? error.code : error;
  }
  return 'none';
};

describe('Memory', () => {
  it('sums what open accounts hold', () => {
    const memory = new Memory();
    const [first, second] = [memory.open('executable'), memory.open('cache')];
    first.allocate('weights', 10, 'w');
    first.allocate('scratch', 3, 's');
    second.allocate('caches', 5, 'c');
    expect(memory.report()).toEqual({ weights: 10, caches: 5, scratch: 3 });
    first.close();
    first.close();
    expect(memory.report()).toEqual({ weights: 0, caches: 5, scratch: 0 });
  });

  it('does not count what could not be had', () => {
    const memory = new Memory();
    const account = memory.open('executable');
    expect(codeOf(() => account.allocate('weights', 2 ** 60, 'w'))).toBe('OUT_OF_MEMORY');
    expect(memory.report().weights).toBe(0);
  });

  it('hands nothing out after it is closed', () => {
    const memory = new Memory();
    const account = memory.open('executable');
    memory.close();
    expect(codeOf(() => account.allocate('weights', 1, 'w'))).toBe('CLOSED');
    expect(codeOf(() => memory.open('cache'))).toBe('CLOSED');
  });
});

describe('Scratch', () => {
  it('keeps one buffer for each name, which grows by doubling and is counted', () => {
    const memory = new Memory();
    const scratch = new Scratch(memory.open('executable'));
    const first = scratch.f64('sums', 5);
    expect(first.length).toBe(5);
    expect(memory.report().scratch).toBe(64);
    expect(scratch.f64('sums', 8).buffer).toBe(first.buffer);
    expect(scratch.f32('sums', 17).length).toBe(17);
    expect(memory.report().scratch).toBe(128);
    scratch.f32('keys', 0);
    expect(memory.report().scratch).toBe(136);
  });
});
