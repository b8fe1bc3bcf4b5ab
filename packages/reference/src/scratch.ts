import type { Account } from './memory.js';

/**
 * Room that kernels use within one call, by name. A buffer is kept for the next call and grows by doubling,
 * since contexts grow by one position a step. What it holds at the start is left over from earlier calls.
 */
export class Scratch {
  readonly #account: Account;
  readonly #buffers = new Map<string, ArrayBuffer>();

  constructor(account: Account) {
    this.#account = account;
    account.onClose(() => this.#buffers.clear());
  }

  f32(name: string, length: number): Float32Array {
    return new Float32Array(this.#room(name, length * 4), 0, length);
  }

  f64(name: string, length: number): Float64Array {
    return new Float64Array(this.#room(name, length * 8), 0, length);
  }

  #room(name: string, bytes: number): ArrayBuffer {
    const held = this.#buffers.get(name);
    if (held && held.byteLength >= bytes) return held;
    const buffer = this.#account.allocate('scratch', 2 ** Math.ceil(Math.log2(Math.max(bytes, 8))), name);
    if (held) this.#account.giveBack('scratch', held);
    this.#buffers.set(name, buffer);
    return buffer;
  }
}
