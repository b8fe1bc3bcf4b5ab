import type { Strings } from './decode-strings.js';

export type GgufIntegerType = 'uint8' | 'int8' | 'uint16' | 'int16' | 'uint32' | 'int32' | 'uint64' | 'int64';
export type GgufFloatType = 'float32' | 'float64';
export type GgufNumberType = GgufIntegerType | GgufFloatType;
export type GgufElementType = GgufNumberType | 'bool' | 'string';
export type GgufValueType = GgufElementType | 'array';

/** Value types by the id that stands in a file, with the bytes of one number. */
export const valueTypes = [
  { name: 'uint8', bytes: 1 },
  { name: 'int8', bytes: 1 },
  { name: 'uint16', bytes: 2 },
  { name: 'int16', bytes: 2 },
  { name: 'uint32', bytes: 4 },
  { name: 'int32', bytes: 4 },
  { name: 'float32', bytes: 4 },
  { name: 'bool', bytes: 1 },
  { name: 'string', bytes: undefined },
  { name: 'array', bytes: undefined },
  { name: 'uint64', bytes: 8 },
  { name: 'int64', bytes: 8 },
  { name: 'float64', bytes: 8 },
] as const satisfies readonly { name: GgufValueType; bytes: number | undefined }[];

/** What the elements of a number array are kept in. */
export const numberArrays = {
  uint8: Uint8Array,
  int8: Int8Array,
  uint16: Uint16Array,
  int16: Int16Array,
  uint32: Uint32Array,
  int32: Int32Array,
  uint64: BigUint64Array,
  int64: BigInt64Array,
  float32: Float32Array,
  float64: Float64Array,
} as const satisfies Record<GgufNumberType, unknown>;

export type GgufNumbers = InstanceType<(typeof numberArrays)[GgufNumberType]>;

interface At {
  /** Byte of the file where the value starts; the four bytes before it name its type. */
  readonly offset: number;
}

export interface GgufInteger extends At {
  readonly type: GgufIntegerType;
  /** A number where it is a safe integer; a bigint only for 64-bit values beyond 2^53 - 1. */
  readonly value: number | bigint;
}

export interface GgufFloat extends At {
  readonly type: GgufFloatType;
  readonly value: number;
}

export interface GgufBool extends At {
  readonly type: 'bool';
  readonly value: boolean;
}

export interface GgufString extends At {
  readonly type: 'string';
  /** Bytes that are not UTF-8 come out as U+FFFD; then `raw` holds them all. */
  readonly value: string;
  readonly raw?: Uint8Array;
}

export interface GgufNumberArray extends At {
  readonly type: 'array';
  readonly elementType: GgufNumberType;
  readonly values: GgufNumbers;
}

export interface GgufBoolArray extends At {
  readonly type: 'array';
  readonly elementType: 'bool';
  /** 0 or 1 each. */
  readonly values: Uint8Array;
}

/** The text of an element that is not UTF-8 has U+FFFD; `raw` holds its bytes. */
export interface GgufStringArray extends At, Strings {
  readonly type: 'array';
  readonly elementType: 'string';
}

export type GgufArray = GgufNumberArray | GgufBoolArray | GgufStringArray;
export type GgufValue = GgufInteger | GgufFloat | GgufBool | GgufString | GgufArray;

/** A Map, so that a key called `__proto__` or `constructor` is a key like any other. In file order. */
export type GgufMetadata = ReadonlyMap<string, GgufValue>;
