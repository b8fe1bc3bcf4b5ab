import type { Backend, BackendPlugin, DeviceInfo, MemoryReport } from '@pocketllm/abi';
import type { Case } from './cases/case.js';
import { type Neighbour, tryCase } from './try-case.js';
import { ensure } from './verdict.js';

/** One open device on which cases run one after another, each beside the one before it. */
export class Session {
  readonly #plugin: BackendPlugin;
  readonly #device: DeviceInfo;
  #backend: Backend | undefined;
  #atFirst: MemoryReport | undefined;
  #neighbour: Neighbour | undefined;

  constructor(plugin: BackendPlugin, device: DeviceInfo) {
    this.#plugin = plugin;
    this.#device = device;
  }

  async try(item: Case): Promise<void> {
    if (!this.#backend) {
      this.#backend = await this.#plugin.open(this.#device.id);
      this.#atFirst = this.#backend.memory();
    }
    const neighbour = await tryCase(this.#backend, item, this.#neighbour);
    await this.#neighbour?.prepared.close();
    this.#neighbour = neighbour;
  }

  /** Lets go of a backend that does not answer any more; the next case opens another. */
  abandon(): void {
    void this.#backend?.close().catch(() => undefined);
    this.#backend = undefined;
    this.#neighbour = undefined;
  }

  /** Releases what is held, sees that memory is as it was, and closes. */
  async end(): Promise<void> {
    const backend = this.#backend;
    if (!backend) return;
    this.#backend = undefined;
    await this.#neighbour?.prepared.close();
    this.#neighbour = undefined;
    const [before, after] = [JSON.stringify(this.#atFirst), JSON.stringify(backend.memory())];
    await backend.close();
    ensure(before === after, `memory was ${before} and is ${after}`);
  }
}
