import type { WeightFormat } from '@pocketllm/abi';
import type { TensorInfo } from './read-tensor-info.js';
import { malformed } from './refusal.js';

/** One tensor of a file. Its bytes lie within the file and overlap no other's. */
export interface GgufTensor {
  readonly name: string;
  /** May be one that holds no weights (`use`): a file may carry plain integers. */
  readonly format: WeightFormat;
  /** In GGUF order, at most four: the first is the row length; a [out, in] matrix is [in, out] here. Empty for a scalar. */
  readonly dimensions: readonly number[];
  /** Bytes from the start of the file. */
  readonly offset: number;
  /** Bytes of data; 0 where a dimension is 0. */
  readonly bytes: number;
  /** Byte of the dimension count in the header, for a refusal of the shape. */
  readonly dimensionsAt: number;
}

export interface DataSection {
  /** Bytes from the start of the file. */
  readonly start: number;
  readonly alignment: number;
  /** Bytes of the file. */
  readonly fileSize: number;
}

/**
 * Checks where the tensors lie: aligned, within the file, none over another. Gaps and any order are fine.
 * Gives the tensors in file order, and the end of the last one.
 */
export function placeTensors(infos: readonly TensorInfo[], section: DataSection) {
  const { start, alignment, fileSize } = section;
  const room = fileSize - start;
  let end = 0;
  for (const info of infos.toSorted((a, b) => a.relativeOffset - b.relativeOffset)) {
    const { label, bytes, relativeOffset, offsetAt } = info;
    if (relativeOffset % alignment !== 0) {
      throw malformed(
        label,
        `an offset that is a multiple of ${alignment}`,
        String(relativeOffset),
        offsetAt,
      );
    }
    const packed = relativeOffset <= alignUp(end, alignment);
    if (bytes === 0) continue;
    if (relativeOffset < end) {
      throw malformed(
        label,
        `an offset from ${end} on, where the tensor before ends`,
        String(relativeOffset),
        offsetAt,
      );
    }
    end = relativeOffset + bytes;
    if (end > room && packed) throw truncated(label, infos, section);
    if (end > room) {
      throw malformed(
        label,
        `an extent within the ${Math.max(room, 0)} bytes of data`,
        `bytes ${relativeOffset} to ${end}`,
        offsetAt,
      );
    }
  }
  const tensors = infos.map(
    ({ name, format, dimensions, dimensionsAt, bytes, relativeOffset }): GgufTensor => ({
      name,
      format,
      dimensions,
      // Padding before an empty tensor may be missing at the end of a file.
      offset: Math.min(start + relativeOffset, fileSize),
      bytes,
      dimensionsAt,
    }),
  );
  return { tensors, end: start + end };
}

/** The tensors are packed as a writer packs them, so it is the file that ends too early. */
function truncated(label: string, infos: readonly TensorInfo[], { start, fileSize }: DataSection) {
  const whole = start + infos.reduce((most, info) => Math.max(most, info.relativeOffset + info.bytes), 0);
  return malformed(
    label,
    `a file of at least ${whole} bytes`,
    `end of file: truncated at ${fileSize} bytes`,
    fileSize,
  );
}

/** The next multiple of `alignment`; exact for sizes below 2^53. */
export function alignUp(bytes: number, alignment: number): number {
  return Math.ceil(bytes / alignment) * alignment;
}
