import type { ProgramBuilder, Value } from '@pocketllm/abi';
import type { Hyperparameters } from './hyperparameters.js';
import type { ModelTensors } from './model-tensors.js';

/** Queries, keys and values of a layer, whether the file holds their matrices apart or fused. */
export function queryKeyValue(
  p: ProgramBuilder,
  tensors: ModelTensors,
  sizes: Hyperparameters,
  layer: string,
  h: Value,
): { q: Value; k: Value; v: Value } {
  const { embeddingLength: width, heads, kvHeads, headSize, valueSize } = sizes;
  const rows = { q: heads * headSize, k: kvHeads * headSize, v: kvHeads * valueSize };
  const fused = `${layer}.attn_qkv`;
  if (!tensors.has(`${fused}.weight`)) {
    return {
      q: tensors.linear(h, `${layer}.attn_q`, rows.q, width),
      k: tensors.linear(h, `${layer}.attn_k`, rows.k, width),
      v: tensors.linear(h, `${layer}.attn_v`, rows.v, width),
    };
  }
  const all = rows.q + rows.k + rows.v;
  const biased = tensors.has(`${fused}.bias`);
  const part = (name: string, from: number, count: number) =>
    p.matmul(h, tensors.slice(`${layer}.${name}.weight`, `${fused}.weight`, [all, width], from, count), {
      bias: biased ? tensors.slice(`${layer}.${name}.bias`, `${fused}.bias`, [all], from, count) : undefined,
    });
  return {
    q: part('attn_q', 0, rows.q),
    k: part('attn_k', rows.q, rows.k),
    v: part('attn_v', rows.q + rows.k, rows.v),
  };
}
