import { type MemoryReport, PocketError } from '@pocketllm/abi';

export type MemoryKind = keyof MemoryReport;

/** Counts the bytes of all buffers of a backend, by account: one for each executable and cache. */
export class Memory {
  readonly #accounts = new Set<Account>();
  #closed = false;

  /** An account for what `what` names. Fails with CLOSED after {@link close}. */
  open(what: string): Account {
    if (this.#closed) throw new PocketError('CLOSED', { what: 'backend' });
    const account = new Account(what, () => this.#accounts.delete(account));
    this.#accounts.add(account);
    return account;
  }

  report(): MemoryReport {
    const total = { weights: 0, caches: 0, scratch: 0 };
    for (const { bytes } of this.#accounts) {
      for (const kind of Object.keys(total) as MemoryKind[]) total[kind] += bytes[kind];
    }
    return total;
  }

  close(): void {
    this.#closed = true;
    for (const account of this.#accounts) account.close();
  }
}

/** The buffers of one executable or cache. They count as given back when it closes. */
export class Account {
  readonly bytes: Record<MemoryKind, number> = { weights: 0, caches: 0, scratch: 0 };
  readonly #what: string;
  readonly #onClose: (() => void)[];
  #closed = false;

  constructor(what: string, onClose: () => void) {
    this.#what = what;
    this.#onClose = [onClose];
  }

  /** Runs `action` on close: the place to let go of buffers. */
  onClose(action: () => void): void {
    this.#onClose.push(action);
  }

  /** Fails with CLOSED once the account is closed. Call it after every wait. */
  check(): void {
    if (this.#closed) throw new PocketError('CLOSED', { what: this.#what });
  }

  /** A buffer of zeros. Fails with OUT_OF_MEMORY, or CLOSED. */
  allocate(kind: MemoryKind, bytes: number, what: string): ArrayBuffer {
    this.check();
    const buffer = allocate(bytes, what);
    this.bytes[kind] += bytes;
    return buffer;
  }

  giveBack(kind: MemoryKind, buffer: ArrayBuffer): void {
    this.bytes[kind] -= buffer.byteLength;
  }

  /** Twice is fine. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const action of this.#onClose) action();
  }
}

/** A buffer of zeros that is not counted, since the caller of the backend gets it. Fails with OUT_OF_MEMORY. */
export function allocate(bytes: number, what: string): ArrayBuffer {
  try {
    return new ArrayBuffer(bytes);
  } catch (cause) {
    throw new PocketError('OUT_OF_MEMORY', { what, wanted: bytes }, { cause });
  }
}
