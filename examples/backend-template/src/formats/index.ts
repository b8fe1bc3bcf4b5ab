import type { WeightFormatName } from '@pocketllm/abi';
import { f16 } from './f16.js';
import { f32 } from './f32.js';
import { q4_k } from './q4-k.js';
import { q6_k } from './q6-k.js';
import { q8_0 } from './q8-0.js';

/** Writes the weights of the block that starts at a byte of `view` to out[to] and up. */
export type DecodeBlock = (view: DataView, at: number, out: Float32Array, to: number) => void;

/** The formats that `pocketllm.backend.json` claims. */
export const decoders: { readonly [Format in WeightFormatName]?: DecodeBlock } = {
  f32,
  f16,
  q8_0,
  q4_k,
  q6_k,
};
