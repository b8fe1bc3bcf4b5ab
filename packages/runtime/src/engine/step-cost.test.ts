import { describe, expect, it } from 'vitest';
import { Random } from '../sampling/index.js';
import { mostDrafts, StepCost } from './step-cost.js';

/** A device whose steps take `base` and `row` for each row. */
function measured(base: number, row: number, decodes = 1): StepCost {
  const cost = new StepCost();
  for (let i = 0; i < 60; i++) {
    cost.note(decodes, { prompt: 0, draft: 0 }, base + decodes * row);
    cost.note(decodes, { prompt: 200, draft: 0 }, base + (decodes + 200) * row);
    cost.note(decodes, { prompt: 0, draft: 0 }, base + decodes * row);
    cost.note(decodes, { prompt: 0, draft: 2 }, base + (decodes + 2) * row);
  }
  return cost;
}

const plain = { prompt: 0, draft: 0 };

describe('rows of prompts beside decodes', () => {
  it('take no longer than the decodes themselves', () => {
    expect(measured(10, 0.5).promptRows(1, 256)).toBe(21);
    expect(measured(10, 0.5, 16).promptRows(16, 256)).toBe(36);
    expect(measured(10, 0.01).promptRows(1, 256)).toBe(256);
  });

  it('are more where the first row costs most, even where it alone takes longer than the decodes', () => {
    const rowsOf = (first: number) => {
      const cost = new StepCost();
      let most = 0;
      for (let i = 0; i < 400; i++) {
        const prompt = cost.promptRows(1, 256);
        cost.note(1, { prompt, draft: 0 }, 20 + (prompt > 0 ? first + prompt / 2 : 0));
        if (i >= 200) most = Math.max(most, prompt);
      }
      return most;
    };
    // 20 allow for 8 of them beside 16; beside 30, for 15 in a quarter of that, and every other step for twice as many.
    expect(rowsOf(16)).toBeGreaterThanOrEqual(7);
    expect(rowsOf(16)).toBeLessThanOrEqual(8);
    expect(rowsOf(30)).toBeGreaterThanOrEqual(20);
    expect(rowsOf(30)).toBeLessThanOrEqual(30);
  });

  it('double the time of a step through a prompt of 8k, of which each row costs more than the one before', () => {
    const cost = new StepCost();
    const steps: number[] = [];
    for (let depth = 0; depth < 8192; ) {
      const prompt = Math.min(cost.promptRows(3, 512), 8192 - depth);
      const ms = 20 + (prompt > 0 ? 10 + prompt * (0.1 + depth / 20_000) : 0);
      cost.note(3, { prompt, draft: 0 }, ms);
      depth += prompt;
      steps.push(ms);
    }
    steps.sort((a, b) => a - b);
    expect(steps.at(-1)).toBeLessThan(3 * 20);
    expect(steps[Math.floor(0.99 * steps.length)]).toBeLessThan(2.2 * 20);
    expect(steps[Math.floor(0.9 * steps.length)]).toBeLessThan(2.1 * 20);
    // Those that are twice as long as without leave 10 ms to rows, which take 2500 in all.
    expect(steps.length).toBeLessThan(360);
  });

  it('are tried by two now and then where they are one', () => {
    const cost = new StepCost();
    const sizes = Array.from({ length: 400 }, () => {
      const prompt = cost.promptRows(1, 256);
      cost.note(1, { prompt, draft: 0 }, 20 + 20 * prompt);
      return prompt;
    }).slice(200);
    expect(Math.max(...sizes)).toBe(2);
    expect(sizes.filter((rows) => rows === 2).length).toBeLessThan(sizes.length / 16);
  });

  it('are one at least, and all that fit where nobody decodes', () => {
    expect(measured(0, 5).promptRows(1, 256)).toBe(1);
    expect(measured(0, 5).promptRows(0, 256)).toBe(256);
  });

  it('wait for a step of decodes alone where none was measured, and after many steps without one', () => {
    const cost = new StepCost();
    expect(cost.promptRows(3, 256)).toBe(0);
    cost.note(3, plain, 10);
    expect(cost.promptRows(4, 256)).toBe(16);
    expect(cost.promptRows(5, 256)).toBe(0);
    for (let i = 0; i < 16; i++) cost.note(3, { prompt: 5, draft: 0 }, 20);
    expect(cost.promptRows(3, 256)).toBe(0);
    cost.note(3, plain, 10);
    expect(cost.promptRows(3, 256)).toBe(5);
  });

  it('are found through noise that is larger than their cost, and grow by steps', () => {
    const random = new Random(1);
    const cost = new StepCost();
    const noise = () => 8 * (random.next() - 0.5);
    let longest = 0;
    const sizes: number[] = [];
    for (let i = 0; i < 3000; i++) {
      const prompt = cost.promptRows(4, 256);
      cost.note(4, { prompt, draft: 0 }, 20 + 0.5 * prompt + noise());
      longest = Math.max(longest, prompt);
      if (prompt > 0) sizes.push(prompt);
    }
    const middle = sizes.sort((a, b) => a - b)[Math.floor(sizes.length / 2)]!;
    expect(middle).toBeGreaterThan(30);
    expect(middle).toBeLessThan(50);
    expect(longest).toBeLessThan(100);
  });
});

describe('drafts', () => {
  it('pay where a row is cheaper than the token that it may save', () => {
    expect(measured(10, 0.5).draftRows(1, 0.9)).toBe(mostDrafts);
    expect(measured(10, 0.5).draftRows(1, 0.5)).toBe(4);
    expect(measured(10, 0.5).draftRows(1, 0.04)).toBe(0);
  });

  it('do not pay where a row costs what a step does, or many share a step', () => {
    expect(measured(0, 5).draftRows(1, 0.9)).toBe(0);
    expect(measured(10, 0.5, 16).draftRows(16, 0.4)).toBe(0);
  });
});
