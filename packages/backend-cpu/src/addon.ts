import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The native module. Its functions throw TypeError on misuse, and errors that failure.ts understands. */
export interface Addon {
  readonly abi: number;
  /** Instruction sets with kernels in this build, and those of them that this machine runs; fastest first. */
  readonly builtIsas: readonly string[];
  readonly usableIsas: readonly string[];
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

/** A line of a kernels.inc. */
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
    results: readonly (Float32Array | Int32Array)[],
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

/** The native module, or why there is none. */
export type AddonState =
  | { readonly addon: Addon; readonly missing?: never }
  | { readonly addon?: never; readonly missing: string };

// The same from src and, bundled, from dist.
const build = new URL('../build/', import.meta.url);

let state: AddonState | undefined;

/**
 * Loads the native module once. Never throws.
 * @internal For tests: applications ask the plugin's probe.
 */
export function loadAddon(): AddonState {
  state ??= load(build);
  return state;
}

/** Loads the native module from a build folder. */
export function load(folder: URL): AddonState {
  const file = fileURLToPath(new URL('Release/pocketllm_cpu.node', folder));
  if (!existsSync(file)) return { missing: `the native part is not built: ${reasonIn(folder)}` };
  try {
    const addon = createRequire(import.meta.url)(file) as Addon;
    if (addon.abi === 1) return { addon };
    return { missing: `the native part was built for version ${addon.abi} of the ABI, not 1` };
  } catch (error) {
    return { missing: `the native part cannot be loaded: ${error instanceof Error ? error.message : error}` };
  }
}

/** What the build wrote down when it failed. */
function reasonIn(folder: URL): string {
  try {
    return readFileSync(new URL('not-built.txt', folder), 'utf8').trim();
  } catch {
    return 'run `npm run build` where the package comes from source (it needs a C++17 compiler)';
  }
}
