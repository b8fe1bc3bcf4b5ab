import type { ProgramBuilder, Value } from '@pocketllm/abi';
import { unsupported } from '../gguf/refusal.js';
import type { Hyperparameters } from './hyperparameters.js';
import type { ModelTensors } from './model-tensors.js';

/** down(silu(gate h) * (up h)): one gated layer, or a mixture of experts that are such layers. */
export function gatedFeedForward(
  p: ProgramBuilder,
  tensors: ModelTensors,
  sizes: Hyperparameters,
  layer: string,
  h: Value,
): Value {
  const { embeddingLength: width, feedForwardLength: hidden } = sizes;
  if (sizes.experts) return expertFeedForward(p, tensors, sizes, layer, h);
  const gate = tensors.linear(h, `${layer}.ffn_gate`, hidden, width);
  const up = tensors.linear(h, `${layer}.ffn_up`, hidden, width);
  return tensors.linear(
    p.gatedActivation(gate, up, { function: 'silu' }),
    `${layer}.ffn_down`,
    width,
    hidden,
  );
}

function expertFeedForward(
  p: ProgramBuilder,
  tensors: ModelTensors,
  sizes: Hyperparameters,
  layer: string,
  h: Value,
): Value {
  const { embeddingLength: width } = sizes;
  const { count, used, length, scale } = sizes.experts!;
  if (tensors.has(`${layer}.ffn_gate_up_exps.weight`)) {
    throw unsupported(`${layer}.ffn_gate_up_exps.weight`, 'fused experts', 'gate and up apart');
  }
  const matrix = (name: string, rows: number, cols: number) =>
    tensors.weight(`${layer}.${name}.weight`, count, rows, cols);
  const router = tensors.linear(h, `${layer}.ffn_gate_inp`, count, width);
  const { ids, weights } = p.routeExperts(router, { slots: used, normalize: 'sum', scale });
  const shared = { inputGroups: 1, outputGroups: used };
  const gate = p.matmulExperts(h, matrix('ffn_gate_exps', length, width), ids, shared);
  const up = p.matmulExperts(h, matrix('ffn_up_exps', length, width), ids, shared);
  return p.matmulExperts(
    p.gatedActivation(gate, up, { function: 'silu' }),
    matrix('ffn_down_exps', width, length),
    ids,
    { inputGroups: used, outputGroups: 1, routing: weights },
  );
}
