import { fail } from './fail.js';

/** What one render may use. All three are counted, so a template ends the same way on every machine. */
export interface TemplateLimits {
  /** Nodes evaluated, list elements touched, and text made or read in pieces of {@link UNITS_PER_STEP}. */
  readonly steps: number;
  /** Nodes, macros and values inside one another. */
  readonly depth: number;
  /** UTF-16 code units in any one text, the output included. */
  readonly text: number;
}

const UNITS_PER_STEP = 64;
const MOST_STEPS = 20_000_000;

/**
 * Limits for a render over an input of `values` values that hold `units` code units of text.
 *
 * A step stands for about 100 ns and at most 128 bytes, so the fixed half million bounds a template that
 * loops or allocates without end to some 0.1 s and 64 MiB. The share of the input lets a template walk over a
 * long conversation: 1000 steps a value (Qwen3 takes 150 a message), 16 passes over its text.
 */
export function limitsFor(input: { values: number; units: number }): TemplateLimits {
  return {
    steps: Math.min(MOST_STEPS, 500_000 + 1000 * input.values + Math.ceil(input.units / 4)),
    depth: 300,
    text: 8 * 1024 * 1024 + 8 * input.units,
  };
}

/** Counts what a render uses and ends it with TEMPLATE_FAILED at a limit. Work is charged before it is done. */
export class Budget {
  private steps = 0;
  private depth = 0;

  constructor(private readonly limits: TemplateLimits) {}

  spend(steps: number): void {
    this.steps += steps;
    if (this.steps > this.limits.steps) fail(`more than ${this.limits.steps} steps`, 'steps');
  }

  checkText(units: number): void {
    if (units > this.limits.text) fail(`a text of more than ${this.limits.text} characters`, 'text');
  }

  /** Charges making or reading `units` code units of text. */
  text(units: number): void {
    this.checkText(units);
    this.spend(1 + Math.floor(units / UNITS_PER_STEP));
  }

  /** Charges a search, which compares most of `pattern` at many places of the text in the worst case. */
  search(units: number, pattern: number): void {
    this.spend(1 + Math.floor((units * (1 + pattern / 8)) / UNITS_PER_STEP));
  }

  /** One level deeper. Not given back when an error passes through: that ends the render. */
  enter(): void {
    this.spend(1);
    if (++this.depth > this.limits.depth) fail(`nested deeper than ${this.limits.depth} levels`, 'depth');
  }

  leave(): void {
    this.depth--;
  }
}
