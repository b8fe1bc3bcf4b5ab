import { activation } from './activation.js';
import { add } from './add.js';
import { attention } from './attention.js';
import { attentionFull } from './attention-full.js';
import type { OpDeclaration } from './define-op.js';
import { embedding } from './embedding.js';
import { encode } from './encode.js';
import { gatedActivation } from './gated-activation.js';
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

export { type ActivationFunction, activationFunctions } from './activation-function.js';
export type { AttributeSpec, AttributeValue, ChoiceSpec, FloatSpec, IntegerSpec } from './attribute-spec.js';
export { attributeMismatch } from './attribute-spec.js';
export type { Constraint, Cost, DecompositionStep, OpDeclaration, Sizes, Tolerance } from './define-op.js';
export { type ExtentExpression, evaluateExtent, parseExtent, solveExtent } from './extents.js';
export type { TensorSpec } from './tensor-spec.js';

/** Every op of version 1, by name. */
export const ops = {
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
} as const satisfies Record<string, OpDeclaration>;

export type Ops = typeof ops;
export type OpName = keyof Ops;

export const isOpName = (name: string): name is OpName => Object.hasOwn(ops, name);
