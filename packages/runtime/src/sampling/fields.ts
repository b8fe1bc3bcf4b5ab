import type { SamplingOptions } from './options.js';

/** The options that are one number. */
export type NumberField = Exclude<keyof SamplingOptions, 'logitBias'>;

interface Rule {
  readonly expected: string;
  readonly accepts: (value: number) => boolean;
}

const fraction: Rule = { expected: 'a number from 0 to 1', accepts: (value) => value >= 0 && value <= 1 };
const finite: Rule = { expected: 'a finite number', accepts: Number.isFinite };

const integerFrom = (least: number): Rule => ({
  expected: `an integer of at least ${least}`,
  accepts: (value) => Number.isSafeInteger(value) && value >= least,
});

/** What each field may be. */
export const fieldRules: Readonly<Record<NumberField, Rule>> = {
  temperature: {
    expected: 'a finite number of at least 0',
    accepts: (value) => Number.isFinite(value) && value >= 0,
  },
  topK: integerFrom(0),
  topP: fraction,
  minP: fraction,
  typicalP: fraction,
  repeatPenalty: {
    expected: 'a finite number above 0',
    accepts: (value) => Number.isFinite(value) && value > 0,
  },
  presencePenalty: finite,
  frequencyPenalty: finite,
  penaltyLastN: integerFrom(-1),
  seed: { expected: 'an integer from -(2^53 - 1) to 2^53 - 1', accepts: Number.isSafeInteger },
};

/** `value` for an error's `found`: short, whatever a caller passed. */
export function foundText(value: unknown): string {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'array' : typeof value;
}
