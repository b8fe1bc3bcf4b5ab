import { readFileSync } from 'node:fs';
import { hasShared, sharedPath } from './shared.js';

type TopLogits = Readonly<Record<string, readonly (readonly [id: number, logit: number])[]>>;

/** One prompt of an expected.json: what llama.cpp and a double-precision evaluation made of it. */
export interface RecordedCase {
  readonly name: string;
  readonly prompt: string;
  readonly prompt_ids: readonly number[];
  /** Greedy tokens of llama.cpp; at each step the lead of the best logit over the second. */
  readonly tokens: readonly number[];
  readonly margins: readonly number[];
  /** The largest difference between llama.cpp's own variants. */
  readonly max_noise: number;
  readonly stable_prefix: number;
  /** The best five after the prompt and the first k tokens, by k. */
  readonly top5_at: TopLogits;
  readonly exact_top5_at: TopLogits;
  readonly llama_cpp_max_error_vs_exact: number;
  readonly exact_tokens?: readonly number[];
  readonly messages?: readonly { role: 'system' | 'user' | 'assistant'; content: string }[];
}

export interface RecordedModel {
  readonly name: string;
  /** Absolute path of the GGUF file. */
  readonly path: string;
  readonly cases: readonly RecordedCase[];
}

/** The models of one expected.json in ../shared; none where it is absent. */
export function recordedModels(folder: 'fixtures' | 'models', file: string): readonly RecordedModel[] {
  const list = `${folder}/${file}`;
  if (!hasShared(list)) return [];
  const { models } = JSON.parse(readFileSync(sharedPath(list), 'utf8'));
  return Object.entries<{ file: string; cases: RecordedCase[] }>(models).map(([name, model]) => ({
    name,
    path: sharedPath(`${folder}/${model.file}`),
    cases: model.cases,
  }));
}
