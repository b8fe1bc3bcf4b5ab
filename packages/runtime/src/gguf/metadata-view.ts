import { displayText } from './display-text.js';
import type {
  GgufArray,
  GgufElementType,
  GgufMetadata,
  GgufNumbers,
  GgufStringArray,
  GgufValue,
} from './gguf-value.js';
import { malformed } from './refusal.js';
import {
  isArray,
  isBool,
  isBoolArray,
  isInteger,
  isIntegerArray,
  isNumber,
  isNumberArray,
  isString,
  isStringArray,
} from './value-kinds.js';

export interface NumberRange {
  /** For integers 0 where absent. */
  readonly min?: number;
  /** For integers 2^32 - 1 where absent. */
  readonly max?: number;
}

export interface ArrayOptions {
  /** The number of elements it must have; any where absent. */
  readonly length?: number;
  /** The element types it may have; any that can be read as asked where absent. */
  readonly types?: readonly GgufElementType[];
}

type Kind<T extends GgufValue, V extends T> = (value: T) => value is V;

/**
 * Typed access to metadata. A refusal is MODEL_MALFORMED with key, expected, found and byte: a value of another
 * type, one out of its range, an array of another length, and an absent key unless asked through `optional`,
 * which gives undefined instead. Any integer type does for an integer, any number for a float.
 */
export class MetadataView<Absent extends undefined = never> {
  constructor(
    readonly metadata: GgufMetadata,
    private readonly absent: (key: string) => Absent = missing,
  ) {}

  /** The same metadata, where an absent key gives undefined: `view.optional.float(key) ?? 10000`. */
  get optional(): MetadataView<undefined> {
    return new MetadataView<undefined>(this.metadata, () => undefined);
  }

  integer(key: string, range: NumberRange = {}): number | Absent {
    const found = this.#scalar(key, 'an integer', isInteger);
    return found ? inRange(key, found.value, range, found.offset) : this.absent(key);
  }

  /** Always finite. */
  float(key: string, { min = -Number.MAX_VALUE, max = Number.MAX_VALUE }: NumberRange = {}): number | Absent {
    const found = this.#scalar(key, 'a number', isNumber);
    if (!found) return this.absent(key);
    const number = Number(found.value);
    if (number >= min && number <= max) return number;
    throw malformed(displayText(key), `a finite number from ${min} to ${max}`, String(number), found.offset);
  }

  bool(key: string): boolean | Absent {
    return this.#scalar(key, 'a bool', isBool)?.value ?? this.absent(key);
  }

  string(key: string): string | Absent {
    return this.#scalar(key, 'a string', isString)?.value ?? this.absent(key);
  }

  /** Strings, and the bytes of those that are not UTF-8. */
  strings(key: string, options: ArrayOptions = {}): GgufStringArray | Absent {
    return this.#array(key, 'an array of strings', isStringArray, options) ?? this.absent(key);
  }

  integers(key: string, options: ArrayOptions & NumberRange = {}): ArrayLike<number> | Absent {
    const found = this.#array(key, 'an array of integers', isIntegerArray, options);
    if (!found) return this.absent(key);
    for (const value of found.values) inRange(key, value, options, found.offset);
    return plainNumbers(found.values);
  }

  /** Of any value, NaN too. */
  floats(key: string, options: ArrayOptions = {}): ArrayLike<number> | Absent {
    const found = this.#array(key, 'an array of numbers', isNumberArray, options);
    return found ? plainNumbers(found.values) : this.absent(key);
  }

  bools(key: string, options: ArrayOptions = {}): boolean[] | Absent {
    const found = this.#array(key, 'an array of bools', isBoolArray, options);
    return found ? Array.from(found.values, (value) => value === 1) : this.absent(key);
  }

  /** One integer a layer, of a key that holds an array of them or one for all. */
  integerPerLayer(key: string, layers: number, range: NumberRange = {}): number[] | Absent {
    const value = this.metadata.get(key);
    if (!value) return this.absent(key);
    return value.type === 'array'
      ? Array.from(this.integers(key, { ...range, length: layers }) as ArrayLike<number>)
      : new Array<number>(layers).fill(this.integer(key, range) as number);
  }

  #scalar<V extends GgufValue>(key: string, wanted: string, is: Kind<GgufValue, V>): V | undefined {
    const value = this.metadata.get(key);
    if (!value || is(value)) return value;
    throw wrongType(key, wanted, value);
  }

  #array<V extends GgufArray>(
    key: string,
    wanted: string,
    is: Kind<GgufArray, V>,
    { length, types }: ArrayOptions,
  ): V | undefined {
    const array = this.#scalar(key, wanted, isArray);
    if (!array) return undefined;
    if (!is(array)) throw wrongType(key, wanted, array);
    if (types && !types.includes(array.elementType)) {
      throw wrongType(key, `an array of ${types.join(' or ')}`, array);
    }
    if (length !== undefined && array.values.length !== length) {
      throw malformed(
        displayText(key),
        `${length} elements`,
        `${array.values.length} elements`,
        array.offset,
      );
    }
    return array;
  }
}

function missing(key: string): never {
  throw malformed(displayText(key), 'a required key', 'missing');
}

function wrongType(key: string, wanted: string, value: GgufValue) {
  const found = value.type === 'array' ? `an array of ${value.elementType}` : value.type;
  // The four bytes before a value name its type.
  return malformed(displayText(key), wanted, found, value.offset - 4);
}

function inRange(
  key: string,
  found: number | bigint,
  { min = 0, max = 2 ** 32 - 1 }: NumberRange,
  offset: number,
) {
  if (found >= min && found <= max) return Number(found);
  throw malformed(displayText(key), `an integer from ${min} to ${max}`, String(found), offset);
}

function plainNumbers(values: GgufNumbers): ArrayLike<number> {
  return values instanceof BigInt64Array || values instanceof BigUint64Array
    ? Float64Array.from(values, Number)
    : values;
}
