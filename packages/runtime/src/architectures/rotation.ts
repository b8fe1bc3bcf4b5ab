import { displayText } from '../gguf/display-text.js';
import type { NumberRange } from '../gguf/metadata-view.js';
import { malformed, unsupported } from '../gguf/refusal.js';
import type { Hyperparameters } from './hyperparameters.js';
import type { ModelTensors } from './model-tensors.js';

/**
 * What `rope` needs besides the number of heads: pairing, base and any scaling to longer contexts.
 * MODEL_MALFORMED for values that no rotation can have.
 */
export function rotation(pairing: 'neox' | 'interleaved', sizes: Hyperparameters, tensors: ModelTensors) {
  const { view, key, headSize } = sizes;
  const dimensions =
    view.optional.integer(key('rope.dimension_count'), { min: 2, max: headSize }) ?? headSize;
  if (dimensions % 2 !== 0) {
    const field = key('rope.dimension_count');
    const { offset } = view.metadata.get(field) ?? {};
    throw malformed(displayText(field), 'an even number: values turn in pairs', String(dimensions), offset);
  }
  const base = view.optional.float(key('rope.freq_base'), { min: Number.MIN_VALUE }) ?? 10_000;
  const factors = tensors.optional('rope_freqs.weight', dimensions / 2);
  const plain = { dimensions, base, pairing, ...(factors ? { frequencyFactors: factors } : {}) };
  const type = view.optional.string(key('rope.scaling.type')) ?? 'linear';
  const factor =
    view.optional.float(key('rope.scaling.factor'), { min: 0 }) ??
    view.optional.float(key('rope.scale_linear'), { min: 0 }) ??
    0;
  if (type === 'none' || factor === 0) return plain;
  if (type === 'linear') return { ...plain, scale: 1 / factor };
  if (type !== 'yarn') throw unsupported(key('rope.scaling.type'), displayText(type), 'none, linear, yarn');
  const yarn = yarnScaling(sizes, dimensions, base, factor);
  return {
    ...plain,
    frequencyFactors: tensors.constant('rope.yarn_factors', yarn.frequencyFactors),
    magnitude: yarn.magnitude,
  };
}

/**
 * YaRN: slow rotations are stretched by `factor`, fast ones kept, those between mixed along a ramp; queries
 * and keys grow by `magnitude`. As frequency factors f: angle / f = angle * ((1 - keep) / factor + keep).
 */
function yarnScaling(
  { view, key, contextLength }: Hyperparameters,
  dimensions: number,
  base: number,
  factor: number,
) {
  const option = (name: string, fallback: number, range?: NumberRange) =>
    view.optional.float(key(`rope.scaling.${name}`), range) ?? fallback;
  const positive = { min: Number.MIN_VALUE };
  const original =
    view.optional.integer(key('rope.scaling.original_context_length'), { min: 1 }) ?? contextLength;
  const extrapolation = option('yarn_ext_factor', -1);
  const strength = extrapolation < 0 ? 1 : extrapolation;
  /** The pair index whose wave makes `turns` turns within the original context. */
  const pairAt = (turns: number) =>
    (dimensions * Math.log(original / (2 * Math.PI * turns))) / (2 * Math.log(base));
  const low = Math.max(0, Math.floor(pairAt(option('yarn_beta_fast', 32, positive))));
  const high = Math.min(dimensions - 1, Math.ceil(pairAt(option('yarn_beta_slow', 1, positive))));
  const frequencyFactors = Float32Array.from({ length: dimensions / 2 }, (_, pair) => {
    const ramp = Math.min(1, Math.max(0, (pair - low) / Math.max(0.001, high - low)));
    const keep = (1 - ramp) * strength;
    return 1 / ((1 - keep) / factor + keep);
  });
  const scaleOf = (multiplier: number) => (factor <= 1 ? 1 : 0.1 * multiplier * Math.log(factor) + 1);
  const multiplier = option('yarn_log_multiplier', 0, { min: 0 });
  const growth = multiplier === 0 ? scaleOf(1) : scaleOf(1) / scaleOf(multiplier);
  return { frequencyFactors, magnitude: growth * option('attn_factor', 1, positive) };
}
