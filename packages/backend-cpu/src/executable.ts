import {
  type CacheLayer,
  type Executable,
  PocketError,
  type PrepareOptions,
  type Program,
  type Step,
  type StepResult,
  type Value,
} from '@pocketllm/abi';
import type { NativeExecutable } from './addon.js';
import { CpuCache } from './cache.js';
import type { Lane } from './lane.js';
import { nativeValueOf } from './plan/lower.js';
import { elementsIn, type Plan, type StepOps } from './plan/plan.js';

/** What an executable takes from its backend. */
export interface ExecutableHost {
  readonly lane: Lane;
  /** The typed error of what native code threw. */
  typed(error: unknown): unknown;
  onRelease(executable: CpuExecutable): void;
}

/** A program in native memory. A step is one native call. */
export class CpuExecutable implements Executable {
  readonly #program: Program;
  readonly #plan: Plan;
  readonly #largest: Pick<PrepareOptions, 'maxRows' | 'maxOutputs'>;
  readonly #host: ExecutableHost;
  readonly #values: ReadonlyMap<string, Value>;
  readonly #ops = new Map<string, StepOps>();
  readonly #cacheLayers = new WeakMap<CpuCache, Int32Array>();
  #native: NativeExecutable | undefined;

  constructor(
    native: NativeExecutable,
    readonly weightBytes: number,
    program: Program,
    plan: Plan,
    largest: Pick<PrepareOptions, 'maxRows' | 'maxOutputs'>,
    host: ExecutableHost,
  ) {
    this.#native = native;
    this.#program = program;
    this.#plan = plan;
    this.#largest = largest;
    this.#host = host;
    this.#values = new Map([...program.inputs, ...program.values].map((value) => [value.name, value]));
  }

  get scratchBytes(): number {
    return this.#native?.scratchBytes ?? 0;
  }

  run(step: Step, signal?: AbortSignal): Promise<StepResult> {
    return this.#host.lane.enter(() => this.#run(step, signal));
  }

  /** A step that runs ends between two ops, with CLOSED. */
  async release(): Promise<void> {
    const native = this.#native;
    this.#native = undefined;
    native?.cancel();
    this.#host.onRelease(this);
    await this.#host.lane.drained();
    native?.release();
  }

  async #run(step: Step, signal: AbortSignal | undefined): Promise<StepResult> {
    const native = this.#live();
    if (signal?.aborted) throw cancelled();
    checkSize('rows', step.rows, this.#largest.maxRows);
    checkSize('outputs', step.outputs, this.#largest.maxOutputs);
    const cache = this.#cacheOf(step);
    const wanted = step.wanted ?? Object.keys(this.#program.outputs);
    const names = wanted.map((output) => this.#program.outputs[output]!);
    const results = names.map((name) => this.#resultFor(name, step));
    for (const { name } of this.#program.inputs) {
      native.setInput(this.#plan.values.get(name)!, step.inputs[name]!);
    }
    const { ops, startsWave } = this.#opsFor(names);
    const cancel = () => native.cancel();
    signal?.addEventListener('abort', cancel);
    try {
      const done = await native.run(
        step.rows,
        step.outputs,
        Float64Array.from(
          step.sequences.flatMap(({ rows, start, phase, pages }) => [
            rows,
            start,
            phase === 'decode' ? 1 : 0,
            pages.length,
          ]),
        ),
        Int32Array.from(step.sequences.flatMap(({ pages }) => pages)),
        cache?.native ?? null,
        cache ? this.#layersOf(cache) : new Int32Array(0),
        ops,
        startsWave,
        Int32Array.from(names, (name) => this.#plan.values.get(name)!),
        results,
      );
      if (!done) {
        this.#live();
        throw cancelled();
      }
    } catch (error) {
      throw this.#host.typed(error);
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
    return { outputs: Object.fromEntries(wanted.map((output, index) => [output, results[index]!])) };
  }

  #live(): NativeExecutable {
    if (this.#native) return this.#native;
    throw new PocketError('CLOSED', { what: 'executable' });
  }

  #opsFor(names: readonly string[]): StepOps {
    const key = JSON.stringify(names);
    const known = this.#ops.get(key);
    if (known) return known;
    const ops = this.#plan.opsFor(names);
    this.#ops.set(key, ops);
    return ops;
  }

  #resultFor(name: string, step: Step): Float32Array | Int32Array | Uint8Array {
    const value = this.#values.get(name)!;
    const { dimensions, elementBytes } = nativeValueOf(value);
    const elements = elementsIn(step, dimensions);
    try {
      if (value.type === 'i32') return new Int32Array(elements);
      return value.type === 'f32' ? new Float32Array(elements) : new Uint8Array(elements);
    } catch (cause) {
      throw new PocketError('OUT_OF_MEMORY', { what: 'results', wanted: elementBytes * elements }, { cause });
    }
  }

  #cacheOf({ cache }: Step): CpuCache | undefined {
    if (cache === undefined || this.#program.caches.length === 0) return undefined;
    if (cache instanceof CpuCache) return cache;
    throw stepInvalid('cache', 'a cache of this backend', 'another');
  }

  /** For each layer of the program, the place of the cache's layer of that name and size. */
  #layersOf(cache: CpuCache): Int32Array {
    const known = this.#cacheLayers.get(cache);
    if (known) return known;
    const places = this.#program.caches.map((layer) => {
      const place = cache.spec.layers.findIndex((candidate) => isAlike(candidate, layer));
      if (place >= 0) return place;
      const found = cache.spec.layers.map(({ name }) => name).join(', ');
      throw stepInvalid('cache.layers', `${layer.name} of the program's sizes`, found);
    });
    const layers = Int32Array.from(places);
    this.#cacheLayers.set(cache, layers);
    return layers;
  }
}

const isAlike = (a: CacheLayer, b: CacheLayer): boolean =>
  a.name === b.name && a.kvHeads === b.kvHeads && a.headSize === b.headSize && a.valueSize === b.valueSize;

const cancelled = () => new PocketError('CANCELLED', { during: 'a step' });

const stepInvalid = (field: string, expected: string, found: string) =>
  new PocketError('STEP_INVALID', { field, expected, found });

function checkSize(field: 'rows' | 'outputs', size: number, most: number): void {
  if (size > most) throw stepInvalid(field, `at most ${most}`, String(size));
}
