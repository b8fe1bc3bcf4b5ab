import { isPocketError } from '@pocketllm/abi';
import {
  createTokenizer,
  type GgufMetadata,
  type GgufModel,
  readHyperparameters,
  recordTokenProgram,
} from '@pocketllm/runtime';
import { type KeyListing, listKeys } from './key-listing.js';
import { type MemoryNeed, memoryNeed } from './memory-need.js';

/** What the header of a model says, whether or not the model can run. */
export interface ModelReport {
  readonly files: readonly { path: string; bytes: number; version: number; alignment: number }[];
  readonly architecture: string | null;
  readonly name: string | null;
  readonly parameters: number;
  /** Of all tensors. */
  readonly bytes: number;
  readonly formats: readonly { format: string; tensors: number; bytes: number }[];
  readonly tokenizer: TokenizerReport | null;
  /** Characters of the chat template. */
  readonly template: number | null;
  readonly runs: Runs;
  readonly warnings: readonly string[];
  readonly keys: readonly KeyListing[];
  readonly tensors: readonly { name: string; format: string; dimensions: readonly number[]; bytes: number }[];
}

export interface TokenizerReport {
  readonly model: string;
  readonly pre: string | null;
  readonly tokens: number;
  readonly merges: number;
  /** Ids of bos, eos and the like. */
  readonly named: readonly { name: string; id: number }[];
}

/** Whether this version runs it: with how much memory, or why not. */
export type Runs =
  | { readonly possible: true; readonly memory: MemoryNeed }
  | { readonly possible: false; readonly code: string; readonly message: string };

export function reportModel(model: GgufModel): ModelReport {
  const { metadata, parts } = model;
  const tensors = [...model.tensors.values()].map(({ name, format, dimensions, bytes }) => ({
    name,
    format: format.name,
    dimensions,
    bytes,
  }));
  const bytes = tensors.reduce((sum, tensor) => sum + tensor.bytes, 0);
  const warnings = [...model.warnings];
  return {
    files: parts.map(({ source, file }) => ({
      path: source.name,
      bytes: source.size,
      version: file.version,
      alignment: file.alignment,
    })),
    architecture: text(metadata, 'general.architecture'),
    name: text(metadata, 'general.name'),
    parameters: tensors.reduce((sum, { dimensions }) => sum + dimensions.reduce((a, b) => a * b, 1), 0),
    bytes,
    formats: byFormat(tensors),
    tokenizer: reportTokenizer(metadata),
    template: text(metadata, 'tokenizer.chat_template')?.length ?? null,
    runs: canRun(model, bytes, (warning) => warnings.push(warning)),
    warnings,
    keys: listKeys(metadata),
    tensors,
  };
}

/** Does what loading does before it needs a device. */
function canRun(model: GgufModel, weights: number, warn: (warning: string) => void): Runs {
  try {
    const sizes = readHyperparameters(model);
    createTokenizer(model.metadata, warn);
    const { program } = recordTokenProgram(model, sizes, () => true);
    return { possible: true, memory: memoryNeed(program, weights, sizes.contextLength) };
  } catch (error) {
    if (!isPocketError(error)) throw error;
    return { possible: false, code: error.code, message: error.message };
  }
}

function byFormat(tensors: ModelReport['tensors']): ModelReport['formats'] {
  const formats = new Map<string, { format: string; tensors: number; bytes: number }>();
  for (const { format, bytes } of tensors) {
    const entry = formats.get(format) ?? { format, tensors: 0, bytes: 0 };
    formats.set(format, { format, tensors: entry.tensors + 1, bytes: entry.bytes + bytes });
  }
  return [...formats.values()].sort((a, b) => b.bytes - a.bytes);
}

function reportTokenizer(metadata: GgufMetadata): TokenizerReport | null {
  const model = text(metadata, 'tokenizer.ggml.model');
  if (model === null) return null;
  const named = [...metadata].flatMap(([key, { type, ...entry }]) => {
    const name = /^tokenizer\.ggml\.(\w+)_token_id$/.exec(key)?.[1];
    return name !== undefined && 'value' in entry && typeof entry.value === 'number'
      ? [{ name, id: entry.value }]
      : [];
  });
  return {
    model,
    pre: text(metadata, 'tokenizer.ggml.pre'),
    tokens: length(metadata, 'tokenizer.ggml.tokens'),
    merges: length(metadata, 'tokenizer.ggml.merges'),
    named,
  };
}

function text(metadata: GgufMetadata, key: string): string | null {
  const entry = metadata.get(key);
  return entry?.type === 'string' ? entry.value : null;
}

function length(metadata: GgufMetadata, key: string): number {
  const entry = metadata.get(key);
  return entry?.type === 'array' ? entry.values.length : 0;
}
