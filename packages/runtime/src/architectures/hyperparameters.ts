import { displayText } from '../gguf/display-text.js';
import type { GgufModel } from '../gguf/index.js';
import { MetadataView } from '../gguf/metadata-view.js';
import { malformed, unsupported } from '../gguf/refusal.js';

/** The sizes and constants of a model, read from its keys and checked. Names follow the GGUF keys. */
export interface Hyperparameters {
  readonly architecture: string;
  /** Positions the model was made for. */
  readonly contextLength: number;
  readonly embeddingLength: number;
  readonly blockCount: number;
  readonly feedForwardLength: number;
  readonly vocabularySize: number;
  readonly heads: number;
  readonly kvHeads: number;
  /** Size of one head of queries and keys, and of values. */
  readonly headSize: number;
  readonly valueSize: number;
  readonly epsilon: number;
  /** What multiplies query times key: 1/sqrt(headSize) unless the file says otherwise. */
  readonly attentionScale: number;
  /** Present where the feed-forward layers are mixtures of experts. */
  readonly experts?: {
    readonly count: number;
    readonly used: number;
    readonly length: number;
    readonly scale: number;
  };
  /** Keys of this architecture beyond these: `view.optional.float(key('rope.freq_base'))`. */
  readonly view: MetadataView;
  readonly key: (name: string) => string;
}

const maxBlocks = 512;

/** Reads the keys that all architectures share. Fails with MODEL_MALFORMED naming the key. */
export function readHyperparameters(model: GgufModel): Hyperparameters {
  const view = new MetadataView(model.metadata);
  const architecture = view.string('general.architecture');
  const key = (name: string) => `${architecture}.${name}`;
  const blockCount = view.integer(key('block_count'), { min: 1, max: maxBlocks });
  const count = (name: string, fallback?: number) => {
    const value = sameForEachLayer(view, key(name), blockCount);
    if (value === undefined && fallback === undefined) return view.integer(key(name), { min: 1 });
    return value ?? fallback!;
  };
  const embeddingLength = view.integer(key('embedding_length'), { min: 1 });
  const heads = count('attention.head_count');
  const kvHeads = count('attention.head_count_kv', heads);
  if (heads % kvHeads !== 0) {
    throw malformed(
      displayText(key('attention.head_count_kv')),
      `a divisor of ${heads} heads`,
      String(kvHeads),
      view.metadata.get(key('attention.head_count_kv'))?.offset,
    );
  }
  const size = (name: string) => view.optional.integer(key(name), { min: 1, max: 65536 });
  const wholeHead = embeddingLength % heads === 0 ? embeddingLength / heads : undefined;
  const headSize = size('attention.key_length') ?? wholeHead ?? view.integer(key('attention.key_length'));
  const valueSize = size('attention.value_length') ?? wholeHead ?? headSize;
  const scale = view.optional.float(key('attention.scale'), { min: 0 }) ?? 0;
  const expertCount = view.optional.integer(key('expert_count'), { max: 65536 }) ?? 0;
  const feedForwardLength =
    expertCount > 0
      ? (sameForEachLayer(view, key('feed_forward_length'), blockCount) ?? 0)
      : count('feed_forward_length');
  return {
    architecture,
    contextLength: view.integer(key('context_length'), { min: 1 }),
    embeddingLength,
    blockCount,
    feedForwardLength,
    vocabularySize: embeddingRows(model),
    heads,
    kvHeads,
    headSize,
    valueSize,
    epsilon: view.float(key('attention.layer_norm_rms_epsilon'), { min: Number.MIN_VALUE }),
    attentionScale: scale || 1 / Math.sqrt(headSize),
    ...(expertCount > 0 ? { experts: readExperts(view, key, expertCount, feedForwardLength) } : {}),
    view,
    key,
  };
}

function readExperts(
  view: MetadataView,
  key: (name: string) => string,
  count: number,
  feedForwardLength: number,
) {
  const used = view.integer(key('expert_used_count'), { min: 1, max: count });
  const length = view.optional.integer(key('expert_feed_forward_length'), { min: 1 });
  return {
    count,
    used,
    length: length ?? feedForwardLength,
    scale: view.optional.float(key('expert_weights_scale'), { min: 0 }) || 1,
  };
}

/** A count that the file gives once, or for each layer; layers that differ are refused. */
function sameForEachLayer(view: MetadataView, key: string, layers: number): number | undefined {
  const values = view.optional.integerPerLayer(key, layers, { min: 1 });
  const odd = values?.find((value) => value !== values[0]);
  if (odd === undefined) return values?.[0];
  throw unsupported(displayText(key), `layers of ${values![0]} and of ${odd}`, 'one value for all layers');
}

/** The rows of the embedding table decide the vocabulary; `vocab_size` is only a hint. */
function embeddingRows(model: GgufModel): number {
  const table = model.tensors.get('token_embd.weight');
  if (!table) throw malformed('token_embd.weight', 'a tensor', 'missing');
  if (table.dimensions.length !== 2) {
    throw malformed(
      'token_embd.weight',
      'two dimensions',
      `[${table.dimensions.join(', ')}]`,
      table.dimensionsAt,
    );
  }
  return table.dimensions[1]!;
}
