import { describeUnknownGgufType, formatOfGgufType, rowBytes, type WeightFormat } from '@pocketllm/abi';
import { displayText } from './display-text.js';
import type { HeaderBytes } from './header-bytes.js';
import { readName } from './read-metadata.js';
import { malformed, unsupported } from './refusal.js';

/** The format text allows 64; some readers stop at 63. */
const longestName = 64;
const mostDimensions = 4;

/** A record of the tensor infos as it stands in the file, its size known, its place not yet checked. */
export interface TensorInfo {
  readonly name: string;
  /** What a refusal calls it. */
  readonly label: string;
  readonly format: WeightFormat;
  readonly dimensions: readonly number[];
  /** Byte of the dimension count in the header. */
  readonly dimensionsAt: number;
  readonly bytes: number;
  /** Bytes from the start of the data section. */
  readonly relativeOffset: number;
  /** Byte of the offset in the header. */
  readonly offsetAt: number;
}

export function readTensorInfo(header: HeaderBytes): TensorInfo {
  const name = readName(header, 'tensor name', { shortest: 0, longest: longestName });
  const label = `tensor ${displayText(name)}`;
  const dimensionsAt = header.position;
  const dimensions = readDimensions(header, label);
  const format = readFormat(header, label, dimensions[0] ?? 1);
  // A row that its format cannot hold was refused above. Doubles do not wrap.
  const bytes = dimensions.slice(1).reduce((size, n) => size * n, rowBytes(format, dimensions[0] ?? 1)!);
  if (bytes > Number.MAX_SAFE_INTEGER) {
    throw malformed(label, 'a size below 2^53 bytes', `dimensions ${dimensions.join(' x ')}`, dimensionsAt);
  }
  const offsetAt = header.position;
  const relativeOffset = header.safeUint64(`${label} offset`);
  return { name, label, format, dimensions, dimensionsAt, bytes, relativeOffset, offsetAt };
}

function readDimensions(header: HeaderBytes, label: string): number[] {
  const at = header.position;
  const count = header.uint32(label);
  if (count > mostDimensions) {
    throw malformed(label, `at most ${mostDimensions} dimensions`, String(count), at);
  }
  return Array.from({ length: count }, () => header.safeUint64(`${label} dimension`, at));
}

function readFormat(header: HeaderBytes, label: string, row: number): WeightFormat {
  const at = header.position;
  const id = header.uint32(label);
  const format = formatOfGgufType(id);
  if (!format) {
    throw unsupported(label, describeUnknownGgufType(id), 'the types of `pocketllm ops`', at);
  }
  if (rowBytes(format, row) === undefined) {
    throw malformed(
      label,
      `rows of whole ${format.name} blocks of ${format.block.weights}`,
      `rows of ${row}`,
      at,
    );
  }
  return format;
}
