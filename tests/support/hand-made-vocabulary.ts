import type { GgufMetadata } from '../../packages/runtime/src/gguf/gguf-value.js';
import { memorySource, readGguf } from '../../packages/runtime/src/gguf/index.js';
import { byteCharacters } from '../../packages/runtime/src/tokenizer/byte-alphabet.js';
import { type MetadataInput, writeGguf } from './gguf-writer.js';

export type Keys = Readonly<Record<string, MetadataInput>>;

/** Metadata with these keys as the reader gives it. Keys of the tokenizer go without `tokenizer.ggml.`. */
export async function metadataOf(keys: Keys): Promise<GgufMetadata> {
  const pairs = Object.entries(keys).map(
    ([key, value]) => [key.includes('.') ? key : `tokenizer.ggml.${key}`, value] as const,
  );
  return (await readGguf(memorySource(writeGguf({ metadata: pairs })))).metadata;
}

export const control = 3;
export const userDefined = 4;

/** A token that is added to a vocabulary, and its type. */
export type Added = readonly [text: string, type: number];

/**
 * A byte-level vocabulary: 256 bytes (id = byte), then what the merges make, in order, then added tokens.
 * A merge is written as in a file, `left right` in the byte alphabet.
 */
export function byteLevelKeys(merges: readonly string[], added: readonly Added[] = []): Keys {
  const tokens = [...byteCharacters, ...merges.map((merge) => merge.replace(/(?<=.) /, ''))];
  return {
    model: 'gpt2',
    pre: 'qwen2',
    tokens: [...tokens, ...added.map(([text]) => text)],
    token_type: types([...tokens.map(() => 1), ...added.map(([, type]) => type)]),
    merges,
  };
}

/** A SentencePiece vocabulary: 0 <unk>, 1 <s>, 2 </s>, 256 bytes from 3 on, then pieces with their scores. */
export function sentencePieceKeys(
  pieces: readonly (readonly [text: string, score: number])[],
  added: readonly Added[] = [],
): Keys {
  const bytes = Array.from(
    { length: 256 },
    (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
  );
  return {
    model: 'llama',
    tokens: [
      '<unk>',
      '<s>',
      '</s>',
      ...bytes,
      ...pieces.map(([text]) => text),
      ...added.map(([text]) => text),
    ],
    token_type: types([
      2,
      3,
      3,
      ...bytes.map(() => 6),
      ...pieces.map(() => 1),
      ...added.map(([, type]) => type),
    ]),
    scores: {
      elementType: 'float32',
      values: [0, 0, 0, ...bytes.map(() => 0), ...pieces.map(([, score]) => score), ...added.map(() => 0)],
    },
  };
}

export function types(values: readonly number[]): MetadataInput {
  return { elementType: 'int32', values };
}
