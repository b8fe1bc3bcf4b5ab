import type { WeightFormatName } from '@pocketllm/abi';

/** One tiny model and what it answers to the prompt. */
export interface RecordedAnswer {
  readonly format: WeightFormatName;
  /** Chosen so that the likeliest token leads clearly each time: the permitted roundings do not change it. */
  readonly seed: string;
  readonly tokens: readonly number[];
}

export const prompt: readonly number[] = [1, 2, 3, 5, 8, 13, 21, 31, 4, 7];

export const recorded: readonly RecordedAnswer[] = [
  { format: 'f32', seed: '5', tokens: [13, 19, 10, 14, 23, 10, 0, 3] },
  { format: 'f16', seed: '20', tokens: [21, 9, 8, 9, 8, 10, 9, 8] },
  { format: 'q8_0', seed: '9', tokens: [14, 28, 31, 14, 20, 9, 31, 14] },
  { format: 'q4_0', seed: '12', tokens: [3, 17, 13, 30, 27, 27, 27, 27] },
  { format: 'q4_k', seed: '105', tokens: [4, 29, 25, 10, 29, 25, 10, 29] },
  { format: 'q6_k', seed: '16', tokens: [0, 5, 21, 10, 19, 22, 11, 0] },
];
