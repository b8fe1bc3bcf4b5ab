import type { OpName } from '@pocketllm/abi';
import { activationCases } from './activation.js';
import { addCases } from './add.js';
import { attentionCases } from './attention.js';
import { attentionFullCases } from './attention-full.js';
import type { Case } from './case.js';
import { embeddingCases } from './embedding.js';
import { encodeCases } from './encode.js';
import { gatedActivationCases } from './gated-activation.js';
import { layerNormCases } from './layer-norm.js';
import { maskLogitsCases } from './mask-logits.js';
import { matmulCases } from './matmul.js';
import { matmulExpertsCases } from './matmul-experts.js';
import { multiplyCases } from './multiply.js';
import { patchesCases } from './patches.js';
import { poolCases } from './pool.js';
import { rmsNormCases } from './rms-norm.js';
import { ropeCases } from './rope.js';
import { routeExpertsCases } from './route-experts.js';
import { scaleCases } from './scale.js';
import { selectRowsCases } from './select-rows.js';
import { softcapCases } from './softcap.js';
import { topKCases } from './top-k.js';

/** The cases of every op. */
export const casesOf: Readonly<Record<OpName, readonly Case[]>> = {
  embedding: embeddingCases,
  rms_norm: rmsNormCases,
  layer_norm: layerNormCases,
  matmul: matmulCases,
  rope: ropeCases,
  attention: attentionCases,
  attention_full: attentionFullCases,
  activation: activationCases,
  gated_activation: gatedActivationCases,
  add: addCases,
  multiply: multiplyCases,
  scale: scaleCases,
  softcap: softcapCases,
  select_rows: selectRowsCases,
  pool: poolCases,
  mask_logits: maskLogitsCases,
  top_k: topKCases,
  route_experts: routeExpertsCases,
  matmul_experts: matmulExpertsCases,
  patches: patchesCases,
  encode: encodeCases,
};
