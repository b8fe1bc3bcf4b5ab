import { bf16 } from './bf16.js';
import type { WeightFormat } from './define-format.js';
import { f16 } from './f16.js';
import { f32 } from './f32.js';
import { f64 } from './f64.js';
import { i8 } from './i8.js';
import { i16 } from './i16.js';
import { i32 } from './i32.js';
import { i64 } from './i64.js';
import { iq1_m } from './iq1-m.js';
import { iq1_s } from './iq1-s.js';
import { iq2_s } from './iq2-s.js';
import { iq2_xs } from './iq2-xs.js';
import { iq2_xxs } from './iq2-xxs.js';
import { iq3_s } from './iq3-s.js';
import { iq3_xxs } from './iq3-xxs.js';
import { iq4_nl } from './iq4-nl.js';
import { iq4_xs } from './iq4-xs.js';
import { mxfp4 } from './mxfp4.js';
import { nvfp4 } from './nvfp4.js';
import { q1_0 } from './q1-0.js';
import { q2_0 } from './q2-0.js';
import { q2_k } from './q2-k.js';
import { q3_k } from './q3-k.js';
import { q4_0 } from './q4-0.js';
import { q4_1 } from './q4-1.js';
import { q4_k } from './q4-k.js';
import { q5_0 } from './q5-0.js';
import { q5_1 } from './q5-1.js';
import { q5_k } from './q5-k.js';
import { q6_k } from './q6-k.js';
import { q8_0 } from './q8-0.js';
import { q8_1 } from './q8-1.js';
import { q8_k } from './q8-k.js';
import { tq1_0 } from './tq1-0.js';
import { tq2_0 } from './tq2-0.js';

export * from './define-format.js';
export * from './ladder.js';
export * from './removed.js';
export * from './tables/index.js';

/** Every weight format of version 1, by name: those of weights and the two that hold only activations. */
export const weightFormats = {
  f32,
  f16,
  bf16,
  q8_0,
  q8_1,
  q8_k,
  q6_k,
  q5_0,
  q5_1,
  q5_k,
  q4_0,
  q4_1,
  q4_k,
  iq4_nl,
  iq4_xs,
  mxfp4,
  nvfp4,
  q3_k,
  iq3_s,
  iq3_xxs,
  q2_0,
  q2_k,
  iq2_s,
  iq2_xs,
  iq2_xxs,
  tq2_0,
  tq1_0,
  iq1_m,
  iq1_s,
  q1_0,
} as const satisfies Record<string, WeightFormat>;

export type WeightFormatName = keyof typeof weightFormats;

/** Plain numbers that a file may hold beside its weights. A reader must know their size; no op reads them. */
export const dataFormats = { i8, i16, i32, i64, f64 } as const satisfies Record<string, WeightFormat>;

const byGgufType = new Map<number, WeightFormat>(
  [...Object.values(weightFormats), ...Object.values(dataFormats)].map((format) => [format.ggufType, format]),
);

/** The format of a GGUF tensor type id, or undefined where version 1 has none. */
export function formatOfGgufType(ggufType: number): WeightFormat | undefined {
  return byGgufType.get(ggufType);
}
