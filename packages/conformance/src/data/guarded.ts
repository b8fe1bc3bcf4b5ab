type Array4 = Float32Array | Int32Array;

/** Bytes of a sentinel on both sides. An odd number of elements, so that nothing is aligned by luck. */
const ring = 12;
const sentinel = 0xc3;

/**
 * Copies of arrays, each within a larger buffer that is filled with a sentinel: who writes beyond the end, or
 * into what it should only read, is found out.
 */
export class GuardedArrays {
  readonly #copies: { readonly name: string; readonly around: Uint8Array; readonly before: Uint8Array }[] =
    [];

  floatsOrIntegers<T extends Array4>(name: string, values: T): T {
    const around = this.#around(values);
    const Kind = values.constructor as new (buffer: ArrayBuffer, offset: number, length: number) => T;
    const copy = new Kind(around.buffer as ArrayBuffer, ring, values.length);
    copy.set(values);
    this.#watch(name, around);
    return copy;
  }

  bytes(name: string, values: Uint8Array): Uint8Array {
    const around = this.#around(values);
    // Bytes of a file stand anywhere.
    const copy = around.subarray(ring - 1, ring - 1 + values.length);
    copy.set(values);
    this.#watch(name, around);
    return copy;
  }

  /** The names of arrays that are not as they were, surroundings included. */
  changed(): string[] {
    return this.#copies
      .filter(({ around, before }) => around.some((byte, i) => byte !== before[i]))
      .map(({ name }) => name);
  }

  #around(values: Array4 | Uint8Array): Uint8Array {
    return new Uint8Array(new ArrayBuffer(values.byteLength + 2 * ring)).fill(sentinel);
  }

  #watch(name: string, around: Uint8Array): void {
    this.#copies.push({ name, around, before: around.slice() });
  }
}
