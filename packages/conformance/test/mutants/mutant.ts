import type { Backend, BackendPlugin, Executable, OpName } from '@pocketllm/abi';
import reference, { type AnyKernel, createReferencePlugin, kernelOf } from '@pocketllm/reference';

/** The reference with one fault planted, and the test that has to find it. */
export interface Mutant {
  /** What is wrong with it. */
  readonly fault: string;
  /** The path of a test that must fail, from the area on: `cases › rms_norm › ...`. */
  readonly caughtBy: string;
  readonly plugin: BackendPlugin;
  /** The content of its capabilities file; the kit is given none where absent. */
  readonly file?: unknown;
}

export type Call = Parameters<AnyKernel>[0];

export const floats = (call: Call, name: string): Float32Array => call.inputs[name] as Float32Array;
export const integers = (call: Call, name: string): Int32Array => call.inputs[name] as Int32Array;
export const outOf = (call: Call): Float32Array => call.outputs.out as Float32Array;
export const numbersOf = (call: Call): Record<string, number> =>
  ({ ...call.attributes, ...call.sizes }) as Record<string, number>;

/** The right kernel, run to its end. */
export function runRight(op: OpName, call: Call): void {
  for (const _ of kernelOf(op)(call) ?? []) {
    // its pauses do not matter here
  }
}

/** The reference with another kernel for one op. */
export const withKernel = (op: OpName, kernel: AnyKernel): BackendPlugin =>
  createReferencePlugin({ kernelOf: (name) => (name === op ? kernel : kernelOf(name)) });

/** The reference behind a backend of which some members are exchanged. */
export const withBackend = (change: (backend: Backend) => Partial<Backend>): BackendPlugin => ({
  ...reference,
  async open(id, options) {
    const backend = await reference.open(id, options);
    return delegate(backend, change(backend));
  },
});

/** The reference whose executables have some members exchanged. */
export const withExecutable = (
  change: (executable: Executable, backend: Backend) => Partial<Executable>,
): BackendPlugin =>
  withBackend((backend) => ({
    async prepare(...wanted) {
      const executable = await backend.prepare(...wanted);
      return delegate(executable, change(executable, backend));
    },
  }));

/** An object that answers as `target`, save for some members. */
export function delegate<T extends object>(target: T, change: Partial<T>): T {
  return new Proxy(target, {
    get(_, name) {
      const source = (name in change ? change : target) as Record<PropertyKey, unknown>;
      const member = source[name];
      return typeof member === 'function' ? member.bind(source) : member;
    },
  });
}
