import type { Architecture } from './architecture.js';
import { gatedFeedForward } from './feed-forward.js';
import { outputLogits } from './output-logits.js';
import { queryKeyValue } from './projections.js';
import { rotation } from './rotation.js';

/**
 *     h = rms_norm(x);  q, k, v = projections of h
 *     x = x + attn_output(attention(rope(q), rope(k), v))
 *     x = x + feed_forward(rms_norm(x))
 *     logits = output(rms_norm(x))
 *
 * Conversion to GGUF permutes the rows of q and k of `llama` so that rope turns neighbouring pairs.
 */
const layers =
  (pairing: 'neox' | 'interleaved'): Architecture['record'] =>
  (p, step, tensors, sizes) => {
    const { embeddingLength, vocabularySize, heads, kvHeads, headSize, valueSize, epsilon, attentionScale } =
      sizes;
    const rope = rotation(pairing, sizes, tensors);
    let x = p.embedding(step.tokens, tensors.weight('token_embd.weight', vocabularySize, embeddingLength));
    for (let i = 0; i < sizes.blockCount; i++) {
      const layer = `blk.${i}`;
      const norm = (name: string) => tensors.weight(`${layer}.${name}.weight`, embeddingLength);
      const { q, k, v } = queryKeyValue(
        p,
        tensors,
        sizes,
        layer,
        p.rmsNorm(x, norm('attn_norm'), { epsilon }),
      );
      const attended = p.attention(
        p.rope(q, step.positions, { ...rope, heads }),
        p.rope(k, step.positions, { ...rope, heads: kvHeads }),
        v,
        p.cache(layer, { kvHeads, headSize, valueSize }),
        { heads, kvHeads, scale: attentionScale },
      );
      x = p.add(x, tensors.linear(attended, `${layer}.attn_output`, embeddingLength, heads * valueSize));
      x = p.add(x, gatedFeedForward(p, tensors, sizes, layer, p.rmsNorm(x, norm('ffn_norm'), { epsilon })));
    }
    return outputLogits(p, step, tensors, sizes, x);
  };

export const llama: Architecture = {
  name: 'llama',
  models: 'Llama 2 and 3, SmolLM2, TinyLlama, Mistral, Mixtral',
  record: layers('interleaved'),
};

/** The same layers with biases on q, k and v, which the file brings, and rows in their own order. */
export const qwen2: Architecture = {
  name: 'qwen2',
  models: 'Qwen2 and Qwen2.5',
  record: layers('neox'),
};
