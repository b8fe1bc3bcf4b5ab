import type { ByteSource } from './byte-source.js';
import { mostRawStrings } from './decode-strings.js';
import { displayText } from './display-text.js';
import type { GgufMetadata, GgufValue } from './gguf-value.js';
import { HeaderBytes, NeedsBytes } from './header-bytes.js';
import { alignUp, type GgufTensor, placeTensors } from './place-tensors.js';
import { readPair } from './read-metadata.js';
import { readPreamble } from './read-preamble.js';
import { readTensorInfo, type TensorInfo } from './read-tensor-info.js';
import { malformed, unsupported } from './refusal.js';
import { isArray, isString, isStringArray } from './value-kinds.js';

/** The header of one GGUF file, every count and extent of it checked. */
export interface GgufFile {
  readonly version: number;
  /** In file order. */
  readonly metadata: GgufMetadata;
  /** In file order. */
  readonly tensors: ReadonlyMap<string, GgufTensor>;
  /** Where the data section starts, in bytes of the file; beyond its end where no tensor has data. */
  readonly dataOffset: number;
  readonly alignment: number;
  /** What is odd and harmless, or was left out. Fit to be shown. */
  readonly warnings: readonly string[];
}

export interface ReadOptions {
  /** Bytes of the first read; each further one doubles what is loaded. 1 MiB where absent. */
  readonly chunkBytes?: number;
}

const defaultAlignment = 32;
const largestAlignment = 2 ** 20;

/**
 * Reads and checks the header of a GGUF file; tensor data is left alone.
 * MODEL_MALFORMED with field and offset where the file breaks the format or is cut off; MODEL_UNSUPPORTED where it
 * is of another version or byte order, has a tensor type without a format, or goes past the bounds of this reader.
 */
export async function readGguf(source: ByteSource, options: ReadOptions = {}): Promise<GgufFile> {
  const header = new HeaderBytes(source, options.chunkBytes ?? 2 ** 20);
  const { version, tensorCount, pairCount } = await whole(header, () => readPreamble(header));
  const warnings: string[] = [];

  const metadata = new Map<string, GgufValue>();
  let rawStrings = 0;
  for (let i = 0; i < pairCount; i++) {
    const at = header.position;
    const { key, value } = await whole(header, () => readPair(header));
    if (metadata.has(key)) throw malformed(displayText(key), 'one value', 'a duplicate of the key', at);
    metadata.set(key, value);
    const broken = brokenStrings(value);
    rawStrings += broken;
    if (rawStrings > mostRawStrings) {
      throw malformed(displayText(key), 'UTF-8', `${rawStrings} other strings up to here`, at);
    }
    if (broken > 0) warnings.push(`${displayText(key)}: ${broken} strings are not UTF-8`);
  }

  const alignment = alignmentOf(metadata);
  const infos = new Map<string, TensorInfo>();
  for (let i = 0; i < tensorCount; i++) {
    const at = header.position;
    const info = await whole(header, () => readTensorInfo(header));
    if (infos.has(info.name)) throw malformed(info.label, 'one tensor of a name', 'a duplicate', at);
    infos.set(info.name, info);
  }

  const dataOffset = alignUp(header.position, alignment);
  const section = { start: dataOffset, alignment, fileSize: source.size };
  const { tensors, end } = placeTensors([...infos.values()], section);
  const extra = source.size - alignUp(end, alignment);
  if (extra > 0) warnings.push(`${extra} extra bytes after the last tensor`);
  return {
    version,
    metadata,
    tensors: new Map(tensors.map((tensor) => [tensor.name, tensor])),
    dataOffset,
    alignment,
    warnings,
  };
}

/** Reads one record, again from its start whenever more of the file had to be loaded for it. */
async function whole<T>(header: HeaderBytes, read: () => T): Promise<T> {
  const start = header.position;
  for (;;) {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof NeedsBytes)) throw error;
      header.position = start;
      await header.load(error.end);
    }
  }
}

function alignmentOf(metadata: GgufMetadata): number {
  const field = 'general.alignment';
  const entry = metadata.get(field);
  if (!entry) return defaultAlignment;
  if (entry.type !== 'uint32') throw malformed(field, 'a uint32', entry.type, entry.offset - 4);
  const alignment = Number(entry.value);
  // log2 of a uint32 is exact where it is whole.
  if (!Number.isInteger(Math.log2(alignment))) {
    throw malformed(field, 'a power of two', String(alignment), entry.offset);
  }
  if (alignment > largestAlignment) {
    throw unsupported(field, String(alignment), `up to ${largestAlignment}`, entry.offset);
  }
  return alignment;
}

function brokenStrings(value: GgufValue): number {
  if (isString(value)) return value.raw ? 1 : 0;
  return isArray(value) && isStringArray(value) ? value.raw.size : 0;
}
