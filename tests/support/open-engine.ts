import type { BackendPlugin, CacheFormat } from '@pocketllm/abi';
import { CACHE_PAGE_POSITIONS, type Cache, checkStep, type Executable, type Program } from '@pocketllm/abi';
import reference from '@pocketllm/reference';
import { readHyperparameters } from '../../packages/runtime/src/architectures/index.js';
import { type NextToken, readNextToken } from '../../packages/runtime/src/engine/next-token.js';
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
  const parts = { program, executable, cache, vocabularySize: sizes.vocabularySize };
  return {
    async *force(prompt, tokens) {
      let length = 0;
      for (let from = 0; from < prompt.length; from += maxRows) {
        const chunk = prompt.slice(from, from + maxRows);
        const next = await feed(parts, chunk, length, 'prefill');
        length += chunk.length;
        if (length === prompt.length) yield next;
      }
      for (const token of tokens) yield await feed(parts, [token], length++, 'decode');
    },
    async [Symbol.asyncDispose]() {
      await backend.close();
      await file.close();
    },
  };
}

/** One step of one sequence, on all pages of the cache. */
async function feed(
  parts: { program: Program; executable: Executable; cache: Cache; vocabularySize: number },
  tokens: readonly number[],
  start: number,
  phase: 'prefill' | 'decode',
): Promise<NextToken> {
  const { program, executable, cache, vocabularySize } = parts;
  const rows = tokens.length;
  const pages = Array.from({ length: cache.spec.pages }, (_, page) => page);
  const step = {
    rows,
    outputs: 1,
    sequences: [{ rows, start, pages, phase }],
    inputs: {
      tokens: Int32Array.from(tokens),
      positions: Int32Array.from(tokens, (_, row) => start + row),
      selection: Int32Array.of(rows - 1),
    },
    cache,
    wanted: ['best', 'best_logit', 'logits'],
  };
  checkStep(program, step);
  return readNextToken(await executable.run(step), { vocabulary: vocabularySize, likeliest: 0 }, 'logits');
}
