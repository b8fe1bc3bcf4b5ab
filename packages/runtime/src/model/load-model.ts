import {
  type Backend,
  type BackendPlugin,
  checkCacheSpec,
  checkCapabilities,
  PocketError,
} from '@pocketllm/abi';
import { type Hyperparameters, readHyperparameters } from '../architectures/index.js';
import { checkCache, checkExecutable } from '../backend/check-plugin.js';
import { openBackend } from '../backend/index.js';
import { Engine } from '../engine/engine.js';
import { displayText, type GgufModel } from '../gguf/index.js';
import { type RecommendedSampling, recommendedSampling } from '../sampling/index.js';
import { createTokenizer, type Tokenizer } from '../tokenizer/index.js';
import {
  checkVocabulary,
  chooseCacheSize,
  chooseMaxQueue,
  chooseMaxSequences,
  fewestOutputs,
  maxRows,
} from './limits.js';
import { silent } from './logger.js';
import { describeFile, type ModelInfo } from './model-info.js';
import type { LoadOptions } from './options.js';
import { chatTemplateOf, type ModelTemplate } from './template-of.js';
import { likeliestOf, recordTokenProgram } from './token-program.js';

/** All that a model consists of. */
export interface ModelParts {
  readonly info: ModelInfo;
  readonly file: GgufModel;
  readonly tokenizer: Tokenizer;
  readonly template: ModelTemplate | undefined;
  readonly backend: Backend;
  readonly engine: Engine;
  readonly sizes: Hyperparameters;
  readonly recommended: RecommendedSampling;
}

/** Checks the file, opens the backend and loads the weights. On a failure everything is closed again. */
export async function loadModel(
  file: GgufModel,
  plugin: BackendPlugin,
  options: LoadOptions,
): Promise<ModelParts> {
  const opened: { close(): Promise<void> }[] = [file];
  try {
    return await loadParts(file, plugin, options, (resource) => opened.push(resource));
  } catch (error) {
    await Promise.allSettled(opened.map(async (resource) => resource.close()));
    throw error;
  }
}

async function loadParts(
  file: GgufModel,
  plugin: BackendPlugin,
  options: LoadOptions,
  onOpened: (resource: Backend) => void,
): Promise<ModelParts> {
  const { logger = silent, signal } = options;
  const warnings = [...file.warnings];
  const warn = (warning: string) => {
    warnings.push(warning);
    logger('warn', warning);
  };
  const sizes = readHyperparameters(file);
  checkVocabulary(file, sizes, warn);
  const tokenizer = createTokenizer(file.metadata, warn);
  const { maxModelLen, pages } = chooseCacheSize(options, sizes);
  const maxSequences = chooseMaxSequences(options.maxSequences);
  const maxUnderWay = maxSequences + chooseMaxQueue(options.maxQueue);
  const recommended = recommendedSampling(file.metadata);
  recommended.warnings.forEach(warn);

  const backend = await openBackend(plugin, options);
  onOpened(backend);
  const { id: device } = backend.device;
  const bounds = {
    maxRows,
    maxOutputs: Math.max(maxSequences, fewestOutputs),
    maxSequences,
    drafts: options.drafts ?? 'measured',
  };
  const prepared = await prepareProgram(file, sizes, plugin.name, backend, { pages, bounds, options });
  if (signal?.aborted) throw new PocketError('CANCELLED', { during: 'loading the model' });
  const template = chatTemplateOf(file.metadata, tokenizer);
  const { rewrites, ...enginePart } = prepared;
  const info: ModelInfo = {
    ...describeFile(file, sizes),
    maxModelLen,
    maxSequences,
    hasTemplate: template !== undefined,
    backend: plugin.name,
    device,
    warnings,
    rewrites,
  };
  for (const { op, into } of rewrites) logger('info', `${device} runs ${op} as ${into.join(' and ')}`);
  logger('info', `${displayText(info.name)} is loaded on ${plugin.name}, ${device}`);
  const { vocabularySize: vocabulary, embeddingLength: hiddenSize } = sizes;
  const rowSizes = { vocabulary, likeliest: likeliestOf(vocabulary) };
  const engine = new Engine({ ...enginePart, bounds, maxUnderWay, rowSizes, hiddenSize });
  return { info, file, tokenizer, template, backend, engine, sizes, recommended: recommended.values };
}

/** Hands the model's program to the backend, with a cache for it. What the device does not claim is refused first. */
async function prepareProgram(
  file: GgufModel,
  sizes: Hyperparameters,
  plugin: string,
  backend: Backend,
  {
    pages,
    bounds: { maxRows, maxOutputs },
    options: { cacheFormat = 'f16', signal, onProgress },
  }: { pages: number; bounds: { maxRows: number; maxOutputs: number }; options: LoadOptions },
) {
  const { capabilities, id: device } = backend.device;
  const supported = new Set(capabilities.ops.map(({ op }) => op));
  const { program, weights, rewrites } = recordTokenProgram(file, sizes, (op) => supported.has(op));
  const cacheSpec = { layers: program.caches, pages, format: cacheFormat };
  checkCapabilities(program, capabilities, device);
  checkCacheSpec(cacheSpec, capabilities, device);
  const prepared = await backend.prepare(program, weights, {
    maxRows,
    maxOutputs,
    ...(signal ? { signal } : {}),
    ...(onProgress ? { onProgress } : {}),
  });
  const executable = checkExecutable(prepared, plugin);
  const cache = checkCache(await backend.createCache(cacheSpec), plugin);
  return { program, executable, cache, rewrites };
}
