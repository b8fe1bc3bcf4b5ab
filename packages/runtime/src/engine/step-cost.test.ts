import { describe, expect, it } from 'vitest';
import { mostDrafts, StepCost } from './step-cost.js';

/** A device whose steps take `base` and `row` for each row. */
function measured(base: number, row: number, decodes = 1): StepCost {
  const cost = new StepCost();
  for (let i = 0; i < 60; i++) {
    cost.note(decodes, { prompt: 0, draft: 0 }, base + decodes * row);
    cost.note(decodes, { prompt: 8, draft: 0 }, base + (decodes + 8) * row);
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

  it('are one at least, and all that fit where nobody decodes', () => {
    expect(measured(0, 5).promptRows(1, 256)).toBe(1);
    expect(measured(0, 5).promptRows(0, 256)).toBe(256);
  });

  it('wait for a step of decodes alone where none was measured, and after many steps without one', () => {
    const cost = new StepCost();
    expect(cost.promptRows(3, 256)).toBe(0);
    cost.note(3, plain, 10);
    expect(cost.promptRows(4, 256)).toBe(32);
    expect(cost.promptRows(5, 256)).toBe(0);
    for (let i = 0; i < 64; i++) cost.note(3, { prompt: 5, draft: 0 }, 20);
    expect(cost.promptRows(3, 256)).toBe(0);
    cost.note(3, plain, 10);
    expect(cost.promptRows(3, 256)).toBe(5);
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
