import type { WeightFormatName } from '@pocketllm/abi';
import { decodeBf16 } from './bf16.js';
import type { DecodeBlock } from './decode-block.js';
import { decodeF16 } from './f16.js';
import { decodeF32 } from './f32.js';
import { decodeIq1M } from './iq1-m.js';
import { decodeIq1S } from './iq1-s.js';
import { decodeIq2S } from './iq2-s.js';
import { decodeIq2Xs } from './iq2-xs.js';
import { decodeIq2Xxs } from './iq2-xxs.js';
import { decodeIq3S } from './iq3-s.js';
import { decodeIq3Xxs } from './iq3-xxs.js';
import { decodeIq4Nl } from './iq4-nl.js';
import { decodeIq4Xs } from './iq4-xs.js';
import { decodeMxfp4 } from './mxfp4.js';
import { decodeNvfp4 } from './nvfp4.js';
import { decodeQ1_0 } from './q1-0.js';
import { decodeQ2_0 } from './q2-0.js';
import { decodeQ2_K } from './q2-k.js';
import { decodeQ3_K } from './q3-k.js';
import { decodeQ4_0 } from './q4-0.js';
import { decodeQ4_1 } from './q4-1.js';
import { decodeQ4_K } from './q4-k.js';
import { decodeQ5_0 } from './q5-0.js';
import { decodeQ5_1 } from './q5-1.js';
import { decodeQ5_K } from './q5-k.js';
import { decodeQ6_K } from './q6-k.js';
import { decodeQ8_0 } from './q8-0.js';
import { decodeQ8_1 } from './q8-1.js';
import { decodeQ8_K } from './q8-k.js';
import { decodeTq1_0 } from './tq1-0.js';
import { decodeTq2_0 } from './tq2-0.js';

/** The decoder of every weight format. */
export const decoders: Readonly<Record<WeightFormatName, DecodeBlock>> = {
  f32: decodeF32,
  f16: decodeF16,
  bf16: decodeBf16,
  q4_0: decodeQ4_0,
  q4_1: decodeQ4_1,
  q5_0: decodeQ5_0,
  q5_1: decodeQ5_1,
  q8_0: decodeQ8_0,
  q8_1: decodeQ8_1,
  q2_k: decodeQ2_K,
  q3_k: decodeQ3_K,
  q4_k: decodeQ4_K,
  q5_k: decodeQ5_K,
  q6_k: decodeQ6_K,
  q8_k: decodeQ8_K,
  iq1_s: decodeIq1S,
  iq1_m: decodeIq1M,
  iq2_xxs: decodeIq2Xxs,
  iq2_xs: decodeIq2Xs,
  iq2_s: decodeIq2S,
  iq3_xxs: decodeIq3Xxs,
  iq3_s: decodeIq3S,
  iq4_nl: decodeIq4Nl,
  iq4_xs: decodeIq4Xs,
  tq1_0: decodeTq1_0,
  tq2_0: decodeTq2_0,
  mxfp4: decodeMxfp4,
  nvfp4: decodeNvfp4,
  q1_0: decodeQ1_0,
  q2_0: decodeQ2_0,
};
