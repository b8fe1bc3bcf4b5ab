import { PocketError } from '@pocketllm/abi';
import type { Hyperparameters } from '../architectures/index.js';
import type { Engine } from '../engine/engine.js';
import type { Sequence, SequenceOwner } from '../engine/sequence.js';
import { malformed } from '../gguf/refusal.js';

export interface EmbedOptions {
  /** Ends the work, with CANCELLED. */
  readonly signal?: AbortSignal;
}

/** How the hidden states of a text become one vector. */
type Pooling = 'mean' | 'first' | 'last';

/** By `pooling_type` of a file. 0 says that there is none: then it is the mean, as where the key is absent. */
const poolings: readonly (Pooling | undefined)[] = ['mean', 'mean', 'first', 'last'];

/** A vector of length 1 for each text: token ids, each within the context. */
export async function embedTexts(
  engine: Engine,
  { view, key, embeddingLength }: Hyperparameters,
  texts: readonly number[][],
  { signal }: EmbedOptions,
): Promise<Float32Array[]> {
  const name = key('pooling_type');
  const type = view.optional.integer(name) ?? 0;
  const pooling = poolings[type];
  if (!pooling) throw malformed(name, '0 to 3', String(type), view.metadata.get(name)?.offset);
  const embeddings = texts.map((ids) => new Embedding(ids.length, embeddingLength, pooling));
  if (signal?.aborted) throw cancelled();
  const sequences: Sequence[] = [];
  let isOver = false;
  const stopAll = () => {
    isOver = true;
    return sequences.map((sequence) => engine.stop(sequence));
  };
  // No more at once than the engine computes: many texts of one call are not many callers.
  const next = embeddings.entries();
  const submitInTurn = async () => {
    for (const [place, embedding] of next) {
      if (isOver) throw cancelled();
      sequences.push(engine.submit(embedding, texts[place]!, pooling === 'last' ? 'last' : 'all'));
      await embedding.vector;
    }
  };
  signal?.addEventListener('abort', stopAll, { once: true });
  try {
    await Promise.all(Array.from({ length: engine.maxSequences }, submitInTurn));
    return await Promise.all(embeddings.map(({ vector }) => vector));
  } finally {
    signal?.removeEventListener('abort', stopAll);
    await Promise.all(stopAll());
  }
}

/** One text on its way through the engine: sums its hidden states as they come. */
class Embedding implements SequenceOwner {
  readonly reads = 'best';
  readonly isReading = true;
  readonly room = 0;
  readonly vector: Promise<Float32Array>;
  #resolve!: (vector: Float32Array) => void;
  #reject!: (error: unknown) => void;
  readonly #sums: Float64Array;
  #rows = 0;

  constructor(
    private readonly tokens: number,
    size: number,
    private readonly pooling: Pooling,
  ) {
    this.#sums = new Float64Array(size);
    this.vector = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // One failure of several reaches the caller.
    this.vector.catch(() => {});
  }

  started(): void {}

  choose(): 'end' {
    return 'end';
  }

  takeHidden(row: Float32Array, position: number): void {
    // Rows come again where the text lost its pages.
    if (this.pooling !== 'last' && position < this.#rows) return;
    this.#rows++;
    if (this.pooling === 'first' && this.#rows > 1) return;
    for (let i = 0; i < row.length; i++) this.#sums[i]! += row[i]!;
  }

  ended(error?: unknown): void {
    const isWhole = this.#rows === (this.pooling === 'last' ? 1 : this.tokens);
    if (error !== undefined) this.#reject(error);
    else if (isWhole) this.#resolve(this.#normalised());
    else this.#reject(cancelled());
  }

  #normalised(): Float32Array {
    const length = Math.sqrt(this.#sums.reduce((sum, value) => sum + value * value, 0));
    return Float32Array.from(this.#sums, (value) => (length > 0 ? value / length : 0));
  }
}

const cancelled = () => new PocketError('CANCELLED', { during: 'an embedding' });
