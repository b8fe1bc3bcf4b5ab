import type { WeightFormatName } from '@pocketllm/abi';
import { encodeBf16 } from './bf16.js';
import type { EncodeBlock } from './encode-block.js';
import { encodeF16 } from './f16.js';
import { encodeF32 } from './f32.js';
import { encodeIq1M } from './iq1-m.js';
import { encodeIq1S } from './iq1-s.js';
import { encodeIq2S } from './iq2-s.js';
import { encodeIq2Xs } from './iq2-xs.js';
import { encodeIq2Xxs } from './iq2-xxs.js';
import { encodeIq3S } from './iq3-s.js';
import { encodeIq3Xxs } from './iq3-xxs.js';
import { encodeIq4Nl } from './iq4-nl.js';
import { encodeIq4Xs } from './iq4-xs.js';
import { encodeMxfp4 } from './mxfp4.js';
import { encodeNvfp4 } from './nvfp4.js';
import { encodeQ1_0 } from './q1-0.js';
import { encodeQ2_0 } from './q2-0.js';
import { encodeQ2_K } from './q2-k.js';
import { encodeQ3_K } from './q3-k.js';
import { encodeQ4_0 } from './q4-0.js';
import { encodeQ4_1 } from './q4-1.js';
import { encodeQ4_K } from './q4-k.js';
import { encodeQ5_0 } from './q5-0.js';
import { encodeQ5_1 } from './q5-1.js';
import { encodeQ5_K } from './q5-k.js';
import { encodeQ6_K } from './q6-k.js';
import { encodeQ8_0 } from './q8-0.js';
import { encodeQ8_1 } from './q8-1.js';
import { encodeQ8_K } from './q8-k.js';
import { encodeTq1_0 } from './tq1-0.js';
import { encodeTq2_0 } from './tq2-0.js';

/** The encoder of every weight format. */
export const encoders: Readonly<Record<WeightFormatName, EncodeBlock>> = {
  f32: encodeF32,
  f16: encodeF16,
  bf16: encodeBf16,
  q8_0: encodeQ8_0,
  q8_1: encodeQ8_1,
  q8_k: encodeQ8_K,
  q6_k: encodeQ6_K,
  q5_0: encodeQ5_0,
  q5_1: encodeQ5_1,
  q5_k: encodeQ5_K,
  q4_0: encodeQ4_0,
  q4_1: encodeQ4_1,
  q4_k: encodeQ4_K,
  iq4_nl: encodeIq4Nl,
  iq4_xs: encodeIq4Xs,
  mxfp4: encodeMxfp4,
  nvfp4: encodeNvfp4,
  q3_k: encodeQ3_K,
  iq3_s: encodeIq3S,
  iq3_xxs: encodeIq3Xxs,
  q2_0: encodeQ2_0,
  q2_k: encodeQ2_K,
  iq2_s: encodeIq2S,
  iq2_xs: encodeIq2Xs,
  iq2_xxs: encodeIq2Xxs,
  tq2_0: encodeTq2_0,
  tq1_0: encodeTq1_0,
  iq1_m: encodeIq1M,
  iq1_s: encodeIq1S,
  q1_0: encodeQ1_0,
};
