import {
  type Call,
  callSizes,
  type Executable,
  PocketError,
  type PrepareOptions,
  type Program,
  type Step,
  type StepResult,
  sizeIn,
  type Value,
  type WeightSource,
} from '@pocketllm/abi';
import { assignBuffers } from './buffers.js';
import { PagedCache } from './cache.js';
import { kernels } from './ops/index.js';
import type { KernelCall } from './ops/kernel.js';
import { pacer } from './pacer.js';
import { Resource } from './resource.js';
import type { Turns } from './turns.js';
import { loadWeights, type StoredWeight } from './weights.js';

/** A program that is ready to run: its calls in order, weights as the file holds them, room for its values. */
export class StepExecutable extends Resource implements Executable {
  readonly #turns: Turns;
  readonly #program: Program;
  readonly #largest: { rows: number; outputs: number };
  readonly #values: ReadonlyMap<string, Value>;
  readonly #sizes: ReturnType<typeof callSizes>;
  #weights: ReadonlyMap<string, StoredWeight> = new Map();
  #buffers: ReadonlyMap<string, ArrayBuffer> = new Map();

  constructor(owner: Set<Resource>, turns: Turns, program: Program, options: PrepareOptions) {
    super(owner, 'executable');
    this.#turns = turns;
    this.#program = program;
    this.#largest = { rows: options.maxRows, outputs: options.maxOutputs };
    this.#values = new Map([...program.inputs, ...program.values].map((value) => [value.name, value]));
    this.#sizes = callSizes(program);
  }

  async load(source: WeightSource, options: PrepareOptions): Promise<void> {
    this.#buffers = assignBuffers(this.#program, (value) =>
      this.allocate('scratch', 4 * elementsOf(value, this.#largest)),
    );
    this.#weights = await loadWeights(this.#program, source, this, options);
  }

  run(step: Step, signal?: AbortSignal): Promise<StepResult> {
    return this.#turns.take(() => this.#run(step, signal));
  }

  release(): Promise<void> {
    this.dispose();
    return this.#turns.idle();
  }

  override dispose(): void {
    super.dispose();
    this.#weights = new Map();
    this.#buffers = new Map();
  }

  async #run(step: Step, signal?: AbortSignal): Promise<StepResult> {
    const { calls, outputs } = this.#program;
    const cache = this.#cacheOf(step);
    const check = () => {
      this.check();
      cache?.check();
      if (signal?.aborted) throw new PocketError('CANCELLED', { during: 'a step' });
    };
    const pause = pacer(check);
    this.#checkSize('rows', step);
    this.#checkSize('outputs', step);
    for (const [index, call] of calls.entries()) {
      check();
      await kernels[call.op]!(this.#bind(call, index, step, cache, pause));
      await pause();
    }
    check();
    const wanted = step.wanted ?? Object.keys(outputs);
    // Copies: they belong to the caller, and the next step writes over the buffers.
    return {
      outputs: Object.fromEntries(wanted.map((name) => [name, this.#array(outputs[name]!, step).slice()])),
    };
  }

  /** What a kernel sees of a call in this step: its operands, attributes and sizes by the names of the op. */
  #bind(
    call: Call,
    index: number,
    step: Step,
    cache: PagedCache | undefined,
    pause: () => Promise<void>,
  ): KernelCall {
    const operand = (name: string) => (call.inputs[name] ?? call.outputs[name])!;
    const floats = (name: string) => this.#array(operand(name), step) as Float32Array;
    return {
      floats,
      optional: (name) => (call.inputs[name] === undefined ? undefined : floats(name)),
      integers: (name) => this.#array(operand(name), step) as Int32Array,
      weight: (name) => this.#weights.get(operand(name))!,
      number: (name) => sizeIn(step, this.#sizes[index]![name] ?? (call.attributes[name] as number)),
      choice: (name) => call.attributes[name] as string,
      sequences: step.sequences,
      layer: () => cache!.layer(call.cache!),
      pause,
    };
  }

  /** The elements of an input of the step, of a value in its buffer, or of a vector of weights. */
  #array(name: string, step: Step): Float32Array | Int32Array {
    const value = this.#values.get(name);
    if (!value) return this.#weights.get(name)!.vector();
    const buffer = this.#buffers.get(name);
    if (!buffer) return step.inputs[name]!;
    const length = elementsOf(value, step);
    return value.type === 'i32' ? new Int32Array(buffer, 0, length) : new Float32Array(buffer, 0, length);
  }

  #cacheOf({ cache }: Step): PagedCache | undefined {
    if (this.#program.caches.length === 0) return undefined;
    if (cache instanceof PagedCache) return cache;
    const [expected, found] = ['a cache of this backend', 'another'];
    throw new PocketError('STEP_INVALID', { field: 'cache', expected, found });
  }

  #checkSize(field: 'rows' | 'outputs', step: Step): void {
    if (step[field] <= this.#largest[field]) return;
    const expected = `at most ${this.#largest[field]}`;
    throw new PocketError('STEP_INVALID', { field, expected, found: String(step[field]) });
  }
}

function elementsOf({ dimensions }: Value, step: Pick<Step, 'rows' | 'outputs'>): number {
  return dimensions.reduce<number>((product, dimension) => product * sizeIn(step, dimension), 1);
}
