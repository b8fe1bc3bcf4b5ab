import type { WeightFormatName } from '@pocketllm/abi';

/** One tiny model and what it answers to the prompt. */
export interface RecordedAnswer {
  readonly format: WeightFormatName;
  /** Chosen so that at each token the likeliest leads clearly: the permitted roundings do not change it. */
  readonly seed: string;
  readonly tokens: readonly number[];
}

export const prompt: readonly number[] = [1, 2, 3, 5, 8, 13, 21, 34, 55, 7];

export const recorded: readonly RecordedAnswer[] = [
  { format: 'f32', seed: '17', tokens: [18, 28, 48, 48, 19, 6, 36, 28, 11, 36, 19, 13] },
];
