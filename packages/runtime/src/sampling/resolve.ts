import { requestInvalid } from '../request-invalid.js';
import { fieldRules, foundText, type NumberField } from './fields.js';
import { checkLogitBias } from './logit-bias.js';
import type { RecommendedSampling, ResolvedSampling, SamplingOptions } from './options.js';

// Where neither the request nor the file says anything: what Qwen3 advises for answers with thinking.
const fallback: Readonly<Record<Exclude<NumberField, 'seed'>, number>> = {
  temperature: 0.6,
  topK: 20,
  topP: 0.95,
  minP: 0,
  typicalP: 1,
  repeatPenalty: 1,
  presencePenalty: 0,
  frequencyPenalty: 0,
  penaltyLastN: 64,
};

/**
 * Settles every sampling value: the request's own, else what the model recommends, else a fixed one. Fields
 * of `options` that are not sampling options are left alone.
 *
 * @param vocabularySize Ids of `logitBias` must be below it. Where it is left out, `Sampler.sample` checks
 *   them against the row it is given.
 * @throws PocketError REQUEST_INVALID naming the first field at fault.
 */
export function resolveSampling(
  options: SamplingOptions,
  recommended: RecommendedSampling = {},
  vocabularySize?: number,
): ResolvedSampling {
  for (const field of Object.keys(fieldRules) as NumberField[]) checkField(field, options[field]);
  const settled = Object.fromEntries(
    (Object.keys(fallback) as (keyof typeof fallback)[]).map((field) => [
      field,
      options[field] ?? (recommended as SamplingOptions)[field] ?? fallback[field],
    ]),
  ) as typeof fallback;
  return {
    ...settled,
    logitBias: checkLogitBias(options.logitBias, vocabularySize),
    seed: options.seed ?? Math.floor(Math.random() * 2 ** 53),
  };
}

function checkField(field: NumberField, value: unknown): void {
  const { expected, accepts } = fieldRules[field];
  if (value === undefined || (typeof value === 'number' && accepts(value))) return;
  throw requestInvalid(field, expected, foundText(value));
}
