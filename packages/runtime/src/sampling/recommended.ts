import type { GgufMetadata } from '../gguf/gguf-value.js';
import { fieldRules, foundText } from './fields.js';
import type { RecommendedSampling } from './options.js';

const keyOf: Readonly<Record<keyof RecommendedSampling, string>> = {
  temperature: 'temp',
  topK: 'top_k',
  topP: 'top_p',
  minP: 'min_p',
  repeatPenalty: 'penalty_repeat',
  penaltyLastN: 'penalty_last_n',
};

/** Advice on methods that are not offered; 0 means that a method is not advised. */
const notOffered = ['sequence', 'xtc_probability', 'mirostat'];

/**
 * What a file's `general.sampling.*` keys recommend. Advice is not worth refusing a model for: what cannot be
 * followed is left out and named in `warnings`, one sentence each.
 */
export function recommendedSampling(metadata: GgufMetadata): {
  values: RecommendedSampling;
  warnings: readonly string[];
} {
  const values: Partial<Record<keyof RecommendedSampling, number>> = {};
  const warnings: string[] = [];
  for (const field of Object.keys(keyOf) as (keyof RecommendedSampling)[]) {
    const key = `general.sampling.${keyOf[field]}`;
    const value = readNumber(metadata, key);
    if (value === undefined) continue;
    const { expected, accepts } = fieldRules[field];
    if (typeof value === 'number' && accepts(value)) values[field] = value;
    else warnings.push(`${key} is ignored: expected ${expected}, found ${foundText(value)}.`);
  }
  for (const name of notOffered) {
    const key = `general.sampling.${name}`;
    const value = readNumber(metadata, key);
    if (value !== undefined && value !== 0) warnings.push(`${key} is ignored: this method is not offered.`);
  }
  return { values, warnings };
}

/** Undefined where the key is absent; something other than a number where it holds no number. */
function readNumber(metadata: GgufMetadata, key: string): unknown {
  const entry = metadata.get(key);
  if (entry === undefined) return undefined;
  if (entry.type === 'array') return [];
  // 0.6 is stored as 0.60000002384...: give back the number that was meant.
  return entry.type === 'float32' ? Number(entry.value.toPrecision(7)) : entry.value;
}
