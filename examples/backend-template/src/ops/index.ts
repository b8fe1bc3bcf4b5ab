import type { OpName } from '@pocketllm/abi';
import { activation } from './activation.js';
import { add } from './add.js';
import { attention } from './attention.js';
import { embedding } from './embedding.js';
import type { Kernel } from './kernel.js';
import { matmul } from './matmul.js';
import { multiply } from './multiply.js';
import { rmsNorm } from './rms-norm.js';
import { rope } from './rope.js';
import { selectRows } from './select-rows.js';
import { topK } from './top-k.js';

/** The ops that `pocketllm.backend.json` claims. */
export const kernels: { readonly [Name in OpName]?: Kernel } = {
  embedding,
  rms_norm: rmsNorm,
  matmul,
  rope,
  attention,
  activation,
  multiply,
  add,
  select_rows: selectRows,
  top_k: topK,
};
