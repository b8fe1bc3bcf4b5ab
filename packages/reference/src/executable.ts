import {
  type BoundSizes,
  type Call,
  callSizes,
  type Executable,
  PocketError,
  type PrepareOptions,
  type Program,
  type SequenceSlice,
  type Step,
  type StepResult,
  sizeIn,
  type Value,
} from '@pocketllm/abi';
import type { Lane } from './lane.js';
import { type Account, allocate } from './memory.js';
import type { AnyKernel, Elements } from './ops/index.js';
import type { Pacer } from './pacer.js';
import { PagedCache } from './paged-cache.js';
import type { ReferenceParts } from './parts.js';
import { callsFor, planSlots, type SlotPlan, valueBytes } from './plan.js';
import { Scratch } from './scratch.js';

interface PlannedCall extends Call {
  readonly kernel: AnyKernel;
  readonly sizes: BoundSizes;
}

/** A program with decoded weights and room for its values. Steps take turns on the backend's lane. */
export class ReferenceExecutable implements Executable {
  readonly #program: Program;
  readonly #options: PrepareOptions;
  readonly #account: Account;
  readonly #lane: Lane;
  readonly #pacer: Pacer;
  readonly #calls: readonly PlannedCall[];
  readonly #values: ReadonlyMap<string, Value>;
  readonly #plan: SlotPlan;
  readonly #scratch: Scratch;
  #weights: ReadonlyMap<string, Float32Array> = new Map();
  #slots: readonly ArrayBuffer[];

  /** Fails with OUT_OF_MEMORY where the values do not fit. The weights are set when they are there. */
  constructor(
    program: Program,
    options: PrepareOptions,
    account: Account,
    lane: Lane,
    pacer: Pacer,
    kernelOf: ReferenceParts['kernelOf'],
  ) {
    this.#program = program;
    this.#options = options;
    this.#account = account;
    this.#lane = lane;
    this.#pacer = pacer;
    const sizes = callSizes(program);
    this.#calls = program.calls.map((call, index) => ({
      ...call,
      kernel: kernelOf(call.op),
      sizes: sizes[index]!,
    }));
    this.#values = new Map([...program.inputs, ...program.values].map((value) => [value.name, value]));
    this.#plan = planSlots(program, { rows: options.maxRows, outputs: options.maxOutputs });
    this.#slots = this.#plan.bytes.map((bytes) => account.allocate('scratch', bytes, 'values of a step'));
    this.#scratch = new Scratch(account);
    account.onClose(() => {
      this.#weights = new Map();
      this.#slots = [];
    });
  }

  setWeights(weights: ReadonlyMap<string, Float32Array>): void {
    this.#weights = weights;
  }

  run(step: Step, signal?: AbortSignal): Promise<StepResult> {
    return this.#lane.run(() => this.#run(step, signal));
  }

  release(): Promise<void> {
    this.#account.close();
    return this.#lane.idle();
  }

  async #run(step: Step, signal: AbortSignal | undefined): Promise<StepResult> {
    const cache = this.#cacheOf(step);
    const check = () => {
      this.#account.check();
      cache?.account.check();
      if (signal?.aborted) throw new PocketError('CANCELLED', { during: 'a step' });
    };
    check();
    this.#checkSize('rows', step.rows, this.#options.maxRows);
    this.#checkSize('outputs', step.outputs, this.#options.maxOutputs);
    const wanted = step.wanted ?? Object.keys(this.#program.outputs);
    const values = wanted.map((output) => this.#program.outputs[output]!);
    for (const call of callsFor(this.#calls, values)) {
      for (const _ of this.#start(call, step, cache) ?? [undefined]) {
        if (!this.#pacer.due()) continue;
        await this.#pacer.pause();
        check();
      }
    }
    const results = values.map((value, index) => [wanted[index]!, this.#copyOf(value, step)] as const);
    return { outputs: Object.fromEntries(results) };
  }

  /** Runs a call, or starts it where its kernel goes on bit by bit. */
  #start(call: PlannedCall, step: Step, cache: PagedCache | undefined): Iterable<void> | void {
    const operands = (names: Readonly<Record<string, string>>) =>
      mapValues(names, (name) => this.#elements(name, step));
    return call.kernel({
      inputs: operands(call.inputs),
      outputs: operands(call.outputs),
      attributes: call.attributes,
      sizes: mapValues(call.sizes, (size) => sizeIn(step, size)),
      sequences: sequencesOf(call, step),
      cache: call.cache === undefined ? undefined : cache?.layer(call.cache),
      scratch: this.#scratch,
    });
  }

  /** The elements of a weight, an input of the step, or a value in its slot. */
  #elements(name: string, step: Step): Elements {
    const slot = this.#plan.slotOf.get(name);
    if (slot === undefined) return this.#weights.get(name) ?? step.inputs[name]!;
    const value = this.#values.get(name)!;
    return viewAs(value, this.#slots[slot]!, valueBytes(value, step));
  }

  #copyOf(name: string, step: Step): Elements {
    const source = this.#elements(name, step);
    const copy = viewAs(this.#values.get(name)!, allocate(source.byteLength, 'results'), source.byteLength);
    copy.set(source);
    return copy;
  }

  #cacheOf({ cache }: Step): PagedCache | undefined {
    if (cache === undefined || this.#program.caches.length === 0) return undefined;
    if (cache instanceof PagedCache) return cache;
    throw new PocketError('STEP_INVALID', {
      field: 'cache',
      expected: 'a cache of this backend',
      found: 'another',
    });
  }

  #checkSize(field: 'rows' | 'outputs', size: number, most: number): void {
    if (size <= most) return;
    throw new PocketError('STEP_INVALID', { field, expected: `at most ${most}`, found: String(size) });
  }
}

function mapValues<A, B>(record: Readonly<Record<string, A>>, map: (value: A) => B): Record<string, B> {
  const mapped: Record<string, B> = {};
  for (const [key, value] of Object.entries(record)) mapped[key] = map(value);
  return mapped;
}

function viewAs({ type }: Value, buffer: ArrayBuffer, bytes: number): Elements {
  if (type === 'f32') return new Float32Array(buffer, 0, bytes / 4);
  if (type === 'i32') return new Int32Array(buffer, 0, bytes / 4);
  return new Uint8Array(buffer, 0, bytes);
}

/** The sequences of the step, or one of all rows where the step lists none or the call's rows are not its. */
function sequencesOf({ sizes }: PlannedCall, step: Step): readonly SequenceSlice[] {
  if (sizes.rows === 'rows' && step.sequences.length > 0) return step.sequences;
  const rows = sizes.rows === undefined ? 0 : sizeIn(step, sizes.rows);
  return [{ rows, start: 0, pages: [], phase: 'prefill' }];
}
