// @ts-check

/** The sizes of a Qwen3 model, named as in the keys of a GGUF file. */
export const qwen3Small = {
  layers: 28,
  embedding: 1024,
  feedForward: 3072,
  heads: 16,
  keyValueHeads: 8,
  headSize: 128,
  vocabulary: 151936,
  context: 40960,
  ropeBase: 1e6,
  epsilon: 1e-6,
};

/** @typedef {typeof qwen3Small} Shape */
/**
 * What a tensor is for, which decides its weight format. Norms stay f32.
 *
 * @typedef {'embedding' | 'norm' | 'q' | 'k' | 'v' | 'o' | 'gate' | 'up' | 'down'} Kind
 */
/** @typedef {{ name: string, kind: Kind, layer: number, dimensions: number[] }} Tensor */

/** The tensors of a model whose embedding is its output matrix too, in file order. @param {Shape} shape @returns {Tensor[]} */
export function tensorsOf({ layers, embedding, feedForward, heads, keyValueHeads, headSize, vocabulary }) {
  const [q, kv] = [heads * headSize, keyValueHeads * headSize];
  /** @type {[name: string, kind: Kind, dimensions: number[]][]} */
  const layer = [
    ['attn_norm', 'norm', [embedding]],
    ['attn_q', 'q', [embedding, q]],
    ['attn_k', 'k', [embedding, kv]],
    ['attn_v', 'v', [embedding, kv]],
    ['attn_q_norm', 'norm', [headSize]],
    ['attn_k_norm', 'norm', [headSize]],
    ['attn_output', 'o', [q, embedding]],
    ['ffn_norm', 'norm', [embedding]],
    ['ffn_gate', 'gate', [embedding, feedForward]],
    ['ffn_up', 'up', [embedding, feedForward]],
    ['ffn_down', 'down', [feedForward, embedding]],
  ];
  return [
    { name: 'token_embd.weight', kind: 'embedding', layer: 0, dimensions: [embedding, vocabulary] },
    ...Array.from({ length: layers }, (_, i) =>
      layer.map(([name, kind, dimensions]) => ({
        name: `blk.${i}.${name}.weight`,
        kind,
        layer: i,
        dimensions,
      })),
    ).flat(),
    { name: 'output_norm.weight', kind: 'norm', layer: 0, dimensions: [embedding] },
  ];
}
