import type { AttributeValue, OpName, SequenceSlice } from '@pocketllm/abi';
import type { LayerPlanes } from '../cache-plane.js';
import type { Scratch } from '../scratch.js';
import { activation } from './activation.js';
import { add } from './add.js';
import { attention } from './attention.js';
import { attentionFull } from './attention-full.js';
import { embedding } from './embedding.js';
import { encode } from './encode.js';
import { gatedActivation } from './gated-activation.js';
import type { Kernel } from './kernel.js';
import { layerNorm } from './layer-norm.js';
import { maskLogits } from './mask-logits.js';
import { matmul } from './matmul.js';
import { matmulExperts } from './matmul-experts.js';
import { multiply } from './multiply.js';
import { patches } from './patches.js';
import { pool } from './pool.js';
import { rmsNorm } from './rms-norm.js';
import { rope } from './rope.js';
import { routeExperts } from './route-experts.js';
import { scale } from './scale.js';
import { selectRows } from './select-rows.js';
import { softcap } from './softcap.js';
import { topK } from './top-k.js';

export const kernels: { readonly [Name in OpName]: Kernel<Name> } = {
  embedding,
  rms_norm: rmsNorm,
  layer_norm: layerNorm,
  matmul,
  rope,
  attention,
  attention_full: attentionFull,
  activation,
  gated_activation: gatedActivation,
  add,
  multiply,
  scale,
  softcap,
  select_rows: selectRows,
  pool,
  mask_logits: maskLogits,
  top_k: topK,
  route_experts: routeExperts,
  matmul_experts: matmulExperts,
  patches,
  encode,
};

/** @internal */
export type Elements = Float32Array | Int32Array | Uint8Array;

/**
 * A kernel as the executor calls it: operands of a valid program, types unknown.
 *
 * @internal
 */
export type AnyKernel = (call: {
  inputs: Readonly<Record<string, Elements>>;
  outputs: Readonly<Record<string, Elements>>;
  attributes: Readonly<Record<string, AttributeValue>>;
  sizes: Readonly<Record<string, number>>;
  sequences: readonly SequenceSlice[];
  cache: LayerPlanes | undefined;
  scratch: Scratch;
}) => Iterable<void> | void;

/**
 * The kernel of an op. That its operands have the declared types is what makes a program valid.
 *
 * @internal
 */
export const kernelOf = (name: OpName): AnyKernel => kernels[name] as unknown as AnyKernel;
