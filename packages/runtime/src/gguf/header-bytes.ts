import type { ByteSource } from './byte-source.js';
import { malformed, unsupported } from './refusal.js';

/** Thrown and caught inside this folder: the record goes on past the bytes loaded so far. */
export class NeedsBytes {
  constructor(readonly end: number) {}
}

/** Real headers stay below 16 MiB, nearly all of it the vocabulary. */
const largestHeader = 64 * 2 ** 20;

/**
 * A cursor over the start of a file, of which only a growing first part is in memory.
 * Reads are synchronous; one that passes the loaded part throws NeedsBytes, and the record is read again once
 * `load` has brought the bytes. Nothing is allocated for a length that the file cannot hold.
 */
export class HeaderBytes {
  position = 0;
  #loaded: Uint8Array = new Uint8Array(0);
  #view: DataView = new DataView(new ArrayBuffer(0));

  constructor(
    readonly source: ByteSource,
    private readonly chunkBytes: number,
  ) {}

  /** Bytes of the file from the position on. */
  get remaining(): number {
    return this.source.size - this.position;
  }

  /** Brings at least the bytes before `end` into memory; doubles, so that few reads are made. */
  async load(end: number): Promise<void> {
    if (end > largestHeader) {
      throw unsupported(
        'size of the header',
        `at least ${end} bytes`,
        `up to ${largestHeader} bytes`,
        this.position,
      );
    }
    const have = this.#loaded.length;
    const wanted = Math.min(Math.max(end, 2 * have, this.chunkBytes), largestHeader, this.source.size);
    const more = await this.source.read(have, wanted - have);
    if (more.length !== wanted - have) {
      throw new TypeError(`${this.source.name} gave ${more.length} bytes for ${wanted - have}`);
    }
    if (have === 0) {
      this.#loaded = more;
    } else {
      const grown = new Uint8Array(wanted);
      grown.set(this.#loaded);
      grown.set(more, have);
      this.#loaded = grown;
    }
    this.#view = new DataView(this.#loaded.buffer, this.#loaded.byteOffset, wanted);
  }

  /** A view of the next `length` bytes, valid until the next load. `field` names them in a refusal. */
  bytes(length: number, field: string): Uint8Array {
    const start = this.#take(length, field);
    return this.#loaded.subarray(start, start + length);
  }

  uint32(field: string): number {
    return this.#view.getUint32(this.#take(4, field), true);
  }

  /**
   * A uint64 as a number: exact up to 2^53, rounded but never below 2^53 beyond it. Doubles do not wrap, so a
   * comparison with the size of a file is right; `exactUint64` gives the digits for a message.
   */
  uint64(field: string): number {
    const start = this.#take(8, field);
    return this.#view.getUint32(start, true) + this.#view.getUint32(start + 4, true) * 2 ** 32;
  }

  /** The digits of a uint64 that was read before. */
  exactUint64(offset: number): string {
    return String(this.#view.getBigUint64(offset, true));
  }

  /** A uint64 below 2^53; anything else is refused, with `at` as the byte at fault. */
  safeUint64(field: string, at = this.position): number {
    const start = this.position;
    const value = this.uint64(field);
    if (value > Number.MAX_SAFE_INTEGER) {
      throw malformed(field, 'a number below 2^53', this.exactUint64(start), at);
    }
    return value;
  }

  /** A view of the bytes of a string: a uint64 length, then as many bytes. */
  string(field: string): Uint8Array {
    return this.bytes(this.#stringLength(field), field);
  }

  skipString(field: string): void {
    this.#take(this.#stringLength(field), field);
  }

  #stringLength(field: string): number {
    const at = this.position;
    const length = this.uint64(field);
    if (length <= this.remaining) return length;
    throw malformed(
      field,
      `a length of at most ${this.remaining} bytes, the rest of the file`,
      this.exactUint64(at),
      at,
    );
  }

  #take(length: number, field: string): number {
    const start = this.position;
    const end = start + length;
    if (end > this.#loaded.length) {
      if (end > this.source.size) {
        const { size } = this.source;
        throw malformed(
          field,
          `${length} bytes from byte ${start}`,
          `end of file: truncated at ${size} bytes`,
          size,
        );
      }
      throw new NeedsBytes(end);
    }
    this.position = end;
    return start;
  }
}
