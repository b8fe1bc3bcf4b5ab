import { PocketError } from '../errors.js';
import { rowBytes, type WeightFormatName, weightFormats } from '../formats/index.js';
import {
  type ActivationFunction,
  type AttributeValue,
  type OpDeclaration,
  type OpName,
  ops,
} from '../ops/index.js';
import { inferCall } from './infer.js';
import type { CacheLayer, Call, Dimension, Program, Value, Weight } from './program.js';

/** Sizes of one layer of the paged cache; the builder names it. */
export type CacheShape = Omit<CacheLayer, 'name'>;

/** Values and weights by input name; optional inputs may be left out. */
export type Operands = Readonly<Record<string, Value | Weight | undefined>>;
/** Attribute values by name; those with a default may be left out. */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

/**
 * Records a program call by call. Each method infers the shape of its result, and fails with
 * PROGRAM_INVALID at the call that breaks a declaration. The formulas stand with the ops.
 */
export class ProgramBuilder {
  readonly #inputs: Value[] = [];
  readonly #weights: Weight[] = [];
  readonly #caches: CacheLayer[] = [];
  readonly #values: Value[] = [];
  readonly #calls: Call[] = [];
  /** A Map, since `__proto__` is a name like any other. */
  readonly #outputs = new Map<string, string>();
  readonly #known = new Map<string, Value | Weight | CacheLayer>();

  /** A value that every step supplies. */
  input(name: string, type: 'f32' | 'i32', dimensions: readonly Dimension[]): Value {
    checkDimensions(name, dimensions, stepDimensions);
    return this.#define(this.#inputs, { name, type, dimensions: [...dimensions] });
  }

  /** A tensor of the model; the last dimension is a row. */
  weight(name: string, format: WeightFormatName, dimensions: readonly number[]): Weight {
    checkDimensions(name, dimensions);
    const row = dimensions.at(-1)!;
    if (rowBytes(weightFormats[format], row) === undefined) {
      const block = weightFormats[format].block.weights;
      throw invalid(name, `rows of whole ${format} blocks of ${block}`, String(row), 'last');
    }
    return this.#define(this.#weights, { name, format, dimensions: [...dimensions] });
  }

  /** One layer of the paged cache. */
  cache(name: string, shape: CacheShape): CacheLayer {
    const { kvHeads, headSize, valueSize } = shape;
    checkDimensions(name, [kvHeads, headSize, valueSize]);
    return this.#define(this.#caches, { name, ...shape });
  }

  /** Names a value that steps may ask for. */
  output(name: string, value: Value): void {
    if (this.#outputs.has(name)) throw invalid(name, 'a new output name', 'one in use');
    this.#check(name, value);
    this.#outputs.set(name, value.name);
  }

  embedding(ids: Value, table: Weight): Value {
    return this.#one('embedding', { ids, table });
  }

  rmsNorm(x: Value, gain: Weight, options: { epsilon: number; groups?: number }): Value {
    return this.#one('rms_norm', { x, gain }, options);
  }

  layerNorm(x: Value, gain: Weight, bias: Weight, options: { epsilon: number }): Value {
    return this.#one('layer_norm', { x, gain, bias }, options);
  }

  matmul(
    x: Value,
    weight: Weight,
    optional: { bias?: Weight | undefined; weightScale?: Weight | undefined } = {},
  ): Value {
    return this.#one('matmul', { x, weight, ...optional });
  }

  rope(
    x: Value,
    positions: Value,
    {
      frequencyFactors,
      ...options
    }: {
      heads: number;
      dimensions: number;
      base: number;
      pairing: 'neox' | 'interleaved';
      scale?: number;
      magnitude?: number;
      frequencyFactors?: Weight | undefined;
    },
  ): Value {
    return this.#one('rope', { x, positions, frequencyFactors }, options);
  }

  attention(
    q: Value,
    k: Value,
    v: Value,
    cache: CacheLayer,
    {
      sinks,
      ...options
    }: {
      heads: number;
      kvHeads: number;
      scale: number;
      window?: number;
      softcap?: number;
      sinks?: Weight | undefined;
    },
  ): Value {
    return this.#one('attention', { q, k, v, sinks }, options, cache);
  }

  attentionFull(
    q: Value,
    k: Value,
    v: Value,
    options: { heads: number; kvHeads: number; scale: number },
  ): Value {
    return this.#one('attention_full', { q, k, v }, options);
  }

  activation(x: Value, options: { function: ActivationFunction }): Value {
    return this.#one('activation', { x }, options);
  }

  gatedActivation(gate: Value, up: Value, options: { function: 'silu' | 'gelu_tanh' }): Value {
    return this.#one('gated_activation', { gate, up }, options);
  }

  add(x: Value, y: Value): Value {
    return this.#one('add', { x, y });
  }

  multiply(x: Value, y: Value): Value {
    return this.#one('multiply', { x, y });
  }

  scale(x: Value, options: { factor: number }): Value {
    return this.#one('scale', { x }, options);
  }

  softcap(x: Value, options: { cap: number }): Value {
    return this.#one('softcap', { x }, options);
  }

  selectRows(x: Value, selection: Value): Value {
    return this.#one('select_rows', { x, selection });
  }

  pool(x: Value, ranges: Value, options: { function: 'mean' | 'first' | 'last' }): Value {
    return this.#one('pool', { x, ranges }, options);
  }

  maskLogits(x: Value, mask: Value): Value {
    return this.#one('mask_logits', { x, mask });
  }

  topK(x: Value, options: { k: number }): { values: Value; ids: Value } {
    return this.call('top_k', { x }, options) as { values: Value; ids: Value };
  }

  routeExperts(
    logits: Value,
    options: { slots: number; normalize: 'sum' | 'none'; scale?: number },
  ): { ids: Value; weights: Value } {
    return this.call('route_experts', { logits }, options) as { ids: Value; weights: Value };
  }

  matmulExperts(
    x: Value,
    weight: Weight,
    ids: Value,
    { routing, ...options }: { inputGroups: number; outputGroups: number; routing?: Value | undefined },
  ): Value {
    return this.#one('matmul_experts', { x, weight, ids, routing }, options);
  }

  patches(image: Value, options: { size: number }): Value {
    return this.#one('patches', { image }, options);
  }

  encode(
    x: Value,
    { importance, ...options }: { format: WeightFormatName; importance?: Weight | undefined },
  ): Value {
    return this.#one('encode', { x, importance }, options);
  }

  /** Records a call of any op by name: the door for programs that come as data. */
  call(
    name: OpName,
    operands: Operands,
    attributes: Attributes = {},
    cache?: CacheLayer,
    outputNames: Readonly<Record<string, string>> = {},
  ): Record<string, Value> {
    const op: OpDeclaration = ops[name];
    const inferred = inferCall(op, operands, attributes);
    const inputs: Record<string, string> = {};
    for (const [input, operand] of Object.entries(operands)) {
      if (!operand) continue;
      this.#check(`${name}.${input}`, operand);
      inputs[input] = operand.name;
    }
    if (op.usesCache) this.#checkCache(name, inferred.sizes, cache);
    const results = Object.entries(inferred.outputs).map(([output, shape]) => {
      const value = { name: outputNames[output] ?? `${name}.${this.#calls.length}.${output}`, ...shape };
      checkDimensions(value.name, value.dimensions, stepDimensions);
      return [output, this.#define(this.#values, value)] as const;
    });
    this.#calls.push({
      op: name,
      inputs,
      attributes: inferred.attributes,
      outputs: Object.fromEntries(results.map(([output, value]) => [output, value.name])),
      ...(op.usesCache && cache ? { cache: cache.name } : {}),
    });
    return Object.fromEntries(results);
  }

  /** The recorded program. */
  build(): Program {
    return {
      abi: 1,
      inputs: [...this.#inputs],
      weights: [...this.#weights],
      caches: [...this.#caches],
      values: [...this.#values],
      calls: [...this.#calls],
      outputs: Object.fromEntries(this.#outputs),
    };
  }

  #one(name: OpName, operands: Operands, attributes: Attributes = {}, cache?: CacheLayer): Value {
    return this.call(name, operands, attributes, cache).out!;
  }

  #define<T extends Value | Weight | CacheLayer>(list: T[], item: T): T {
    if (this.#known.has(item.name)) throw invalid(item.name, 'a new name', 'a name in use');
    this.#known.set(item.name, item);
    list.push(item);
    return item;
  }

  #check(where: string, item: Value | Weight | CacheLayer): void {
    if (this.#known.get(item.name) !== item) throw invalid(where, 'a tensor of this program', item.name);
  }

  #checkCache(
    where: string,
    sizes: Readonly<Record<string, Dimension>>,
    cache: CacheLayer | undefined,
  ): void {
    if (!cache) throw invalid(where, 'a cache layer', 'none');
    this.#check(where, cache);
    if (sizes.rows !== 'rows') throw invalid(where, 'the rows of the step', String(sizes.rows), 'rows');
    for (const name of ['kvHeads', 'headSize', 'valueSize'] as const) {
      if (sizes[name] !== cache[name]) {
        throw invalid(`${where} on ${cache.name}`, String(cache[name]), String(sizes[name]), name);
      }
    }
  }
}

/** Records a program: `record((p) => { ... p.output('logits', ...) })`. */
export function recordProgram(record: (p: ProgramBuilder) => void): Program {
  const builder = new ProgramBuilder();
  record(builder);
  return builder.build();
}

const stepDimensions = ['rows', 'outputs'] as const;

/**
 * Refuses what is no size; `variable` are those that steps fill in. The product must be exact as well: backends
 * form it, in native code too, and do not check again.
 */
function checkDimensions(
  name: string,
  dimensions: readonly Dimension[],
  variable: readonly Dimension[] = [],
): void {
  if (dimensions.length === 0) throw invalid(name, 'at least one dimension', 'none');
  let elements = 1;
  for (const [axis, size] of dimensions.entries()) {
    if (variable.includes(size)) continue;
    if (!Number.isSafeInteger(size) || Number(size) < 1) {
      const expected = ['a positive integer', ...variable].join(' or ');
      throw invalid(name, expected, String(size), `axis ${axis}`);
    }
    elements *= Number(size);
  }
  if (elements > Number.MAX_SAFE_INTEGER) {
    throw invalid(name, 'fewer than 2^53 elements', `dimensions [${dimensions.join(', ')}]`);
  }
}

function invalid(where: string, expected: string, found: string, dimension?: string) {
  return new PocketError('PROGRAM_INVALID', {
    where,
    expected,
    found,
    ...(dimension === undefined ? {} : { dimension }),
  });
}
