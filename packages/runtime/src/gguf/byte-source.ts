import { malformed } from './refusal.js';

/** Random access to the bytes of one file, wherever it lies. */
export interface ByteSource {
  /** For messages: a path, or an address without its query. */
  readonly name: string;
  /** Where native code can map it on this machine; absent elsewhere. */
  readonly path?: string;
  /** Bytes in all. */
  readonly size: number;
  /**
   * Exactly `length` bytes from `offset`. The result may be a view of shared memory: do not write to it.
   * A range that passes the end is MODEL_MALFORMED; a source that fails is MODEL_NOT_FOUND.
   */
  read(offset: number, length: number): Promise<Uint8Array>;
  /** Gives the file back; twice is fine. */
  close?(): Promise<void>;
}

/** Refuses a range that is not within the source. Every source calls it before it allocates. */
export function checkRange(source: ByteSource, offset: number, length: number): void {
  if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(length) || offset < 0 || length < 0) {
    throw new TypeError(`not a byte range: ${length} bytes from ${offset}`);
  }
  if (length > source.size - offset) {
    throw malformed(
      source.name,
      `${length} bytes from byte ${offset}`,
      `end of file at ${source.size}`,
      source.size,
    );
  }
}

/** Bytes that are in memory already. Reads are views of them. */
export function memorySource(bytes: Uint8Array, name = 'memory'): ByteSource {
  const source: ByteSource = {
    name,
    size: bytes.byteLength,
    async read(offset, length) {
      checkRange(source, offset, length);
      return new Uint8Array(bytes.buffer, bytes.byteOffset + offset, length);
    },
  };
  return source;
}
