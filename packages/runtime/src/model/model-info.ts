import type { Rewrite } from '@pocketllm/abi';
import type { Hyperparameters } from '../architectures/index.js';
import type { GgufModel } from '../gguf/index.js';
import { MetadataView } from '../gguf/index.js';

/** What a loaded model is and runs on, for logs, `inspect` and server pages. */
export interface ModelInfo {
  /** `general.name`, else the architecture. Text of the file: escape it before a terminal or page. */
  readonly name: string;
  readonly architecture: string;
  readonly parameters: number;
  /** Positions the model was made for, and those it was opened with. */
  readonly contextLength: number;
  readonly maxModelLen: number;
  /** Answers that are computed at the same time. */
  readonly maxSequences: number;
  /** Bytes of all tensors, and by weight format. */
  readonly weightBytes: number;
  readonly formats: Readonly<Record<string, number>>;
  readonly hasTemplate: boolean;
  readonly backend: string;
  readonly device: string;
  /** What is odd in the file and harmless. */
  readonly warnings: readonly string[];
  /** Merged ops that the device lacks and runs in parts. */
  readonly rewrites: readonly Rewrite[];
}

export type FileInfo = Pick<
  ModelInfo,
  'name' | 'architecture' | 'parameters' | 'contextLength' | 'weightBytes' | 'formats'
>;

/** The part of the information that stands in the file alone. */
export function describeFile(model: GgufModel, sizes: Hyperparameters): FileInfo {
  const tensors = [...model.tensors.values()];
  const formats: Record<string, number> = {};
  for (const { format, bytes } of tensors) formats[format.name] = (formats[format.name] ?? 0) + bytes;
  const elements = tensors.map(({ dimensions }) => dimensions.reduce((product, size) => product * size, 1));
  return {
    name: new MetadataView(model.metadata).optional.string('general.name') || sizes.architecture,
    architecture: sizes.architecture,
    parameters: elements.reduce((sum, count) => sum + count, 0),
    contextLength: sizes.contextLength,
    weightBytes: tensors.reduce((sum, { bytes }) => sum + bytes, 0),
    formats,
  };
}
