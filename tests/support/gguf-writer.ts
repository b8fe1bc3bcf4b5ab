import type { WeightFormat } from '@pocketllm/abi';
import {
  type GgufElementType,
  numberArrays,
  valueTypes,
} from '../../packages/runtime/src/gguf/gguf-value.js';

type Scalar = string | boolean | number | bigint;

/**
 * A metadata value. Plain ones take the usual type: a string, a bool, a uint32 (int32 below zero, float32 where
 * it is no integer), an array of strings. Others are written with the type they name.
 */
export type MetadataInput = string | boolean | number | readonly string[] | TypedInput;

export type TypedInput =
  | { readonly type: GgufElementType; readonly value: Scalar }
  | { readonly elementType: GgufElementType; readonly values: Iterable<Scalar> };

export interface TensorInput {
  readonly name: string;
  readonly format: WeightFormat;
  /** In GGUF order: the row length first. */
  readonly dimensions: readonly number[];
  /** Zeros where absent. */
  readonly data?: Uint8Array;
}

export interface GgufInput {
  /** 3 where absent. */
  readonly version?: number;
  /** Pairs rather than a record where a key comes twice. */
  readonly metadata?: Readonly<Record<string, MetadataInput>> | Iterable<readonly [string, MetadataInput]>;
  readonly tensors?: readonly TensorInput[];
  /** Bytes; 32 where absent. Written to general.alignment only by the caller. */
  readonly alignment?: number;
}

/** A written file and where its parts lie, for tests that damage it. */
export interface GgufLayout {
  readonly bytes: Uint8Array;
  readonly pairs: readonly Span[];
  readonly tensorInfos: readonly Span[];
  /** Bytes at which a uint64 length, count, dimension or offset stands. */
  readonly lengths: readonly number[];
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A small GGUF file, for tests. */
export function writeGguf(input: GgufInput): Uint8Array {
  return layoutGguf(input).bytes;
}

export function layoutGguf(input: GgufInput): GgufLayout {
  const { version = 3, metadata = {}, tensors = [], alignment = 32 } = input;
  const entries = Symbol.iterator in metadata ? [...metadata] : Object.entries(metadata);
  const out = new Output();
  out.bytes(new TextEncoder().encode('GGUF'));
  out.uint32(version);
  out.uint64(tensors.length);
  out.uint64(entries.length);
  const pairs = entries.map(([key, value]) =>
    out.span(() => {
      out.string(key);
      writeValue(out, value);
    }),
  );
  let offset = 0;
  const tensorInfos = tensors.map((tensor) =>
    out.span(() => {
      out.string(tensor.name);
      out.uint32(tensor.dimensions.length);
      for (const dimension of tensor.dimensions) out.uint64(dimension);
      out.uint32(tensor.format.ggufType);
      out.uint64(offset);
      offset += dataOf(tensor).length;
      offset += -offset & (alignment - 1);
    }),
  );
  for (const tensor of tensors) {
    out.pad(alignment);
    out.bytes(dataOf(tensor));
  }
  if (tensors.length > 0) out.pad(alignment);
  return { bytes: out.joined(), pairs, tensorInfos, lengths: out.lengths };
}

function dataOf({ format, dimensions, data }: TensorInput): Uint8Array {
  const weights = dimensions.reduce((product, n) => product * n, 1);
  return data ?? new Uint8Array((weights / format.block.weights) * format.block.bytes);
}

function writeValue(out: Output, input: MetadataInput): void {
  const typed = withType(input);
  if ('type' in typed) {
    out.uint32(typeId(typed.type));
    writeElement(out, typed.type, typed.value);
    return;
  }
  const values = [...typed.values];
  out.uint32(typeId('array'));
  out.uint32(typeId(typed.elementType));
  out.uint64(values.length);
  for (const value of values) writeElement(out, typed.elementType, value);
}

function withType(input: MetadataInput): TypedInput {
  if (isStrings(input)) return { elementType: 'string', values: input };
  if (typeof input === 'string') return { type: 'string', value: input };
  if (typeof input === 'boolean') return { type: 'bool', value: input };
  if (typeof input !== 'number') return input;
  const integer = input < 0 ? 'int32' : 'uint32';
  return { type: Number.isInteger(input) ? integer : 'float32', value: input };
}

const isStrings = (input: MetadataInput): input is readonly string[] => Array.isArray(input);

function writeElement(out: Output, type: GgufElementType, value: Scalar): void {
  if (type === 'string') out.string(String(value));
  else if (type === 'bool') out.bytes(Uint8Array.of(value ? 1 : 0));
  else if (type === 'uint64') out.bytes(new Uint8Array(BigUint64Array.of(BigInt(value)).buffer));
  else if (type === 'int64') out.bytes(new Uint8Array(BigInt64Array.of(BigInt(value)).buffer));
  else out.bytes(new Uint8Array(numberArrays[type].of(Number(value)).buffer));
}

function typeId(name: string): number {
  return valueTypes.findIndex((type) => type.name === name);
}

/** Little-endian bytes, gathered. */
class Output {
  readonly lengths: number[] = [];
  readonly #pieces: Uint8Array[] = [];
  #size = 0;

  bytes(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
    this.#size += bytes.length;
  }

  uint32(value: number): void {
    this.bytes(new Uint8Array(Uint32Array.of(value).buffer));
  }

  uint64(value: number): void {
    this.lengths.push(this.#size);
    this.bytes(new Uint8Array(BigUint64Array.of(BigInt(value)).buffer));
  }

  string(text: string): void {
    const bytes = new TextEncoder().encode(text);
    this.uint64(bytes.length);
    this.bytes(bytes);
  }

  pad(alignment: number): void {
    this.bytes(new Uint8Array(-this.#size & (alignment - 1)));
  }

  span(write: () => void): Span {
    const start = this.#size;
    write();
    return { start, end: this.#size };
  }

  joined(): Uint8Array {
    const all = new Uint8Array(this.#size);
    let at = 0;
    for (const piece of this.#pieces) {
      all.set(piece, at);
      at += piece.length;
    }
    return all;
  }
}
