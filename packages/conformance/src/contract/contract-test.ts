import type { Backend, BackendPlugin, Capabilities, DeviceInfo, OpenOptions } from '@pocketllm/abi';

export interface ContractContext {
  readonly plugin: BackendPlugin;
  readonly device: DeviceInfo;
  /** The content of the package's capabilities file, where the kit was given it. */
  readonly file: Capabilities | undefined;
  /** Opens the device. What a test leaves open is closed behind it. */
  open(options?: OpenOptions): Promise<Backend>;
  /** Puts a figure into the report: milliseconds or bytes, as its name says. */
  measure(name: string, value: number): void;
}

export interface ContractTest {
  /** A fact about a right backend. */
  readonly name: string;
  /** Whether there is anything to ask; a test without is no part of the plan, not a skip. */
  readonly applies?: (context: ContractContext) => boolean;
  /** Why the device cannot be asked, in a few words; undefined where it can. */
  readonly skip?: (context: ContractContext) => string | undefined;
  /** 60 seconds where absent. */
  readonly timeoutMs?: number;
  /** Fails with an Error that says what is wrong. */
  readonly run: (context: ContractContext) => Promise<void>;
}
