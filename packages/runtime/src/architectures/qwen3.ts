import type { Architecture } from './architecture.js';
import { gatedFeedForward } from './feed-forward.js';
import { outputLogits } from './output-logits.js';
import { queryKeyValue } from './projections.js';
import { rotation } from './rotation.js';

/**
 *     h = rms_norm(x);  q, k, v = projections of h;  q, k = rope(rms_norm of each head)
 *     x = x + attn_output(attention(q, k, v))
 *     x = x + feed_forward(rms_norm(x))
 *     logits = output(rms_norm(x))
 */
export const qwen3: Architecture = {
  name: 'qwen3',
  models: 'Qwen3 0.6B to 32B',
  record(p, step, tensors, sizes) {
    const { embeddingLength, vocabularySize, heads, kvHeads, headSize, valueSize, epsilon, attentionScale } =
      sizes;
    const rope = rotation('neox', sizes, tensors);
    let x = p.embedding(step.tokens, tensors.weight('token_embd.weight', vocabularySize, embeddingLength));
    for (let i = 0; i < sizes.blockCount; i++) {
      const layer = `blk.${i}`;
      const norm = (name: string, size: number) => tensors.weight(`${layer}.${name}.weight`, size);
      const h = p.rmsNorm(x, norm('attn_norm', embeddingLength), { epsilon });
      const { q, k, v } = queryKeyValue(p, tensors, sizes, layer, h);
      const normedQ = p.rmsNorm(q, norm('attn_q_norm', headSize), { epsilon, groups: heads });
      const normedK = p.rmsNorm(k, norm('attn_k_norm', headSize), { epsilon, groups: kvHeads });
      const attended = p.attention(
        p.rope(normedQ, step.positions, { ...rope, heads }),
        p.rope(normedK, step.positions, { ...rope, heads: kvHeads }),
        v,
        p.cache(layer, { kvHeads, headSize, valueSize }),
        { heads, kvHeads, scale: attentionScale },
      );
      x = p.add(x, tensors.linear(attended, `${layer}.attn_output`, embeddingLength, heads * valueSize));
      const normed = p.rmsNorm(x, norm('ffn_norm', embeddingLength), { epsilon });
      x = p.add(x, gatedFeedForward(p, tensors, sizes, layer, normed));
    }
    return outputLogits(p, step, tensors, sizes, x);
  },
};

/** Qwen3 with mixtures of experts as feed-forward layers. */
export const qwen3moe: Architecture = {
  ...qwen3,
  name: 'qwen3moe',
  models: 'Qwen3 30B-A3B and 235B-A22B',
};
