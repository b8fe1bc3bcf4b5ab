import type { CacheFormat } from '@pocketllm/abi';
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

/** A model on the reference backend with all its logits in reach, for tests that feed recorded tokens. */
export async function openEngine(
  source: ByteSource,
  cacheFormat: CacheFormat,
  positions: number,
): Promise<OpenedEngine> {
  const file = new GgufModel([{ source, file: await readGguf(source) }]);
  const sizes = readHyperparameters(file);
  const { program, weights } = recordTokenProgram(file, sizes, () => true);
  const backend = await reference.open('reference');
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
