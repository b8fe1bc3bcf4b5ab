import type { BackendPlugin, CacheFormat } from '@pocketllm/abi';
import { CACHE_PAGE_POSITIONS } from '@pocketllm/abi';
import reference from '@pocketllm/reference';
import { readHyperparameters } from '../../packages/runtime/src/architectures/index.js';
import type { NextToken } from '../../packages/runtime/src/engine/next-token.js';
import { Sequence } from '../../packages/runtime/src/engine/sequence.js';
import { type ByteSource, GgufModel, readGguf } from '../../packages/runtime/src/gguf/index.js';
import { recordTokenProgram } from '../../packages/runtime/src/model/token-program.js';

export interface OpenedEngine extends AsyncDisposable {
  /** Feeds the prompt, then each token in turn; gives what may come next after each of these steps. */
  force(prompt: readonly number[], tokens: readonly number[]): AsyncGenerator<NextToken>;
}

/** The backend that a model is opened on. */
export interface EngineDevice {
  readonly plugin: BackendPlugin;
  readonly id: string;
}

const onReference: EngineDevice = { plugin: reference, id: 'reference' };

/** A model with all its logits in reach, for tests that feed recorded tokens. */
export async function openEngine(
  source: ByteSource,
  cacheFormat: CacheFormat,
  positions: number,
  { plugin, id }: EngineDevice = onReference,
): Promise<OpenedEngine> {
  const file = new GgufModel([{ source, file: await readGguf(source) }]);
  const sizes = readHyperparameters(file);
  const { program, weights } = recordTokenProgram(file, sizes, () => true);
  const backend = await plugin.open(id);
  const maxRows = 64;
  const executable = await backend.prepare(program, weights, { maxRows, maxOutputs: 1 });
  const pages = Math.ceil(positions / CACHE_PAGE_POSITIONS);
  const cache = await backend.createCache({ layers: program.caches, pages, format: cacheFormat });
  const engine = { program, executable, cache, vocabularySize: sizes.vocabularySize, maxRows };
  return {
    async *force(prompt, tokens) {
      const sequence = new Sequence(
        engine,
        Array.from({ length: pages }, (_, page) => page),
      );
      yield await sequence.feed(prompt, 'prefill', true);
      for (const token of tokens) yield await sequence.feed([token], 'decode', true);
    },
    async [Symbol.asyncDispose]() {
      await backend.close();
      await file.close();
    },
  };
}
