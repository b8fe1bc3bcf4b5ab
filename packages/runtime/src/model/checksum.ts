/** A number of 53 bits that differs, most likely, where a byte differs. No protection against forgers. */
export class Checksum {
  #a = 0xdeadbeef | 0;
  #b = 0x41c6ce57 | 0;

  add(bytes: Uint8Array): this {
    let a = this.#a;
    let b = this.#b;
    for (let i = 0; i < bytes.length; i++) {
      a = Math.imul(a ^ bytes[i]!, 0x9e3779b1);
      b = Math.imul(b ^ bytes[i]!, 0x5f356495);
    }
    // Each multiplication carries upwards only; what is above comes down here.
    this.#a = a ^ (b >>> 15);
    this.#b = b ^ (a >>> 13);
    return this;
  }

  get value(): number {
    return (this.#b & 0x1fffff) * 2 ** 32 + (this.#a >>> 0);
  }
}
