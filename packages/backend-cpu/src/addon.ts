/** The native module. Its functions throw TypeError on misuse, and errors that failure.ts understands. */
export interface Addon {
  readonly abi: number;
  /** Instruction sets with kernels in this build, and those of them that this machine runs; fastest first. */
  readonly builtIsas: readonly string[];
  readonly usableIsas: readonly string[];
  /** Why one of them cannot run here, where there is more to say than that the processor lacks it. */
  readonly reasonsAgainst: Readonly<Record<string, string>>;
  /** The processor's own name. */
  readonly processor: string;
  /** Cores that this process may use. */
  readonly cores: number;
  readonly memoryBytes: number;
  readonly kernels: readonly KernelInfo[];
  readonly Pool: new (threads: number) => NativePool;
  readonly Executable: new (
    pool: NativePool,
    isa: string,
    records: Float64Array,
    opNames: readonly string[],
    valueOffsets: Float64Array,
    arenaBytes: number,
    weightBytes: Float64Array,
  ) => NativeExecutable;
  /** Three numbers a layer: heads, key size, value size. `format` is a GGUF type id. */
  readonly Cache: new (
    isa: string,
    layers: Float64Array,
    pages: number,
    format: number,
  ) => NativeCache;
}

/** What an instruction set runs for an op: a line of a kernels.inc, its own or that of the one it builds on. */
export interface KernelInfo {
  readonly isa: string;
  readonly op: string;
  readonly format: string;
  readonly name: string;
}

export interface NativePool {
  readonly threads: number;
  release(): void;
}

export interface NativeExecutable {
  readonly scratchBytes: number;
  writeWeight(weight: number, offset: number, bytes: Uint8Array): void;
  /** Stores the weights as the kernels read them; once, when all are written. */
  packWeights(): Promise<unknown>;
  /** Copies an input of the next step to its place. */
  setInput(value: number, numbers: Float32Array | Int32Array): void;
  /**
   * Runs ops on the threads of the pool, wave by wave, then copies values to `results`. Resolves to false where it was
   * cancelled. Sequences are four numbers each: rows, position of the first, whether it decodes, pages.
   */
  run(
    rows: number,
    outputs: number,
    sequences: Float64Array,
    pages: Int32Array,
    cache: NativeCache | null,
    cacheLayers: Int32Array,
    ops: Int32Array,
    startsWave: Uint8Array,
    resultValues: Int32Array,
    results: readonly (Float32Array | Int32Array | Uint8Array)[],
  ): Promise<boolean>;
  cancel(): void;
  release(): void;
}

export interface NativeCache {
  readonly bytes: number;
  readonly pageBytes: number;
  copyPage(from: number, to: number): void;
  readPage(page: number, out: Uint8Array): void;
  writePage(page: number, bytes: Uint8Array): void;
  release(): void;
}
