import { decodeStrings, mostRawStrings } from './decode-strings.js';
import { displayText } from './display-text.js';
import {
  type GgufArray,
  type GgufIntegerType,
  type GgufNumberType,
  type GgufStringArray,
  type GgufValue,
  numberArrays,
  valueTypes,
} from './gguf-value.js';
import type { HeaderBytes } from './header-bytes.js';
import { malformed, unsupported } from './refusal.js';
import { decodeUtf8 } from './utf8.js';

const longestKey = 65535;

/** One pair of the metadata. A key is not checked beyond what makes it a name: real ones break the rules. */
export function readPair(header: HeaderBytes): { key: string; value: GgufValue } {
  const key = readName(header, 'metadata key', { shortest: 1, longest: longestKey });
  return { key, value: readValue(header, displayText(key)) };
}

/** A key or tensor name: UTF-8 without NUL, `shortest` to `longest` bytes. */
export function readName(
  header: HeaderBytes,
  field: string,
  { shortest, longest }: { shortest: number; longest: number },
): string {
  const at = header.position;
  const bytes = header.string(field);
  if (bytes.length < shortest) throw malformed(field, 'a name', 'an empty name', at);
  if (bytes.length > longest) {
    throw malformed(field, `a name of at most ${longest} bytes`, `${bytes.length} bytes`, at);
  }
  const { text, sound } = decodeUtf8(bytes);
  if (!sound) throw malformed(field, 'UTF-8', displayText(text), at);
  if (text.includes('\0')) throw malformed(field, 'a name without NUL', displayText(text), at);
  return text;
}

function readValue(header: HeaderBytes, field: string): GgufValue {
  const typeAt = header.position;
  const id = header.uint32(field);
  const type = valueTypes[id];
  if (!type) throw malformed(field, 'a value type from 0 to 12', `type ${id}`, typeAt);
  const offset = header.position;
  switch (type.name) {
    case 'array':
      return readArray(header, field);
    case 'string': {
      const bytes = header.string(field);
      const { text, sound } = decodeUtf8(bytes);
      return { type: 'string', value: text, offset, ...(sound ? {} : { raw: new Uint8Array(bytes) }) };
    }
    case 'bool':
      return { type: 'bool', value: bools(header.bytes(1, field), field, offset)[0] === 1, offset };
    case 'float32':
    case 'float64':
      return { type: type.name, value: Number(number(header, type, field)), offset };
    default:
      return { type: type.name, value: integer(header, type, field), offset };
  }
}

function number(header: HeaderBytes, type: { name: GgufNumberType; bytes: number }, field: string) {
  return numbers(type.name, header.bytes(type.bytes, field))[0]!;
}

function integer(header: HeaderBytes, type: { name: GgufIntegerType; bytes: number }, field: string) {
  const value = number(header, type, field);
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** A copy of the numbers in `bytes`, aligned. Every platform that JavaScript runs on is little-endian. */
function numbers(type: GgufNumberType, bytes: Uint8Array) {
  return new numberArrays[type](new Uint8Array(bytes).buffer);
}

function bools(bytes: Uint8Array, field: string, offset: number): Uint8Array {
  const wrong = bytes.find((byte) => byte > 1);
  if (wrong !== undefined) throw malformed(field, 'a bool of 0 or 1', String(wrong), offset);
  return new Uint8Array(bytes);
}

function readArray(header: HeaderBytes, field: string): GgufArray {
  const offset = header.position;
  const id = header.uint32(field);
  const type = valueTypes[id];
  if (!type) throw malformed(field, 'an element type from 0 to 12', `type ${id}`, offset);
  // Legal, but no converter writes them, and the common C reader refuses them too.
  if (type.name === 'array') throw unsupported(field, 'an array of arrays', 'arrays of scalars', offset);
  const countAt = header.position;
  const count = header.uint64(field);
  const smallest = type.bytes ?? 8;
  if (count > header.remaining / smallest) {
    throw malformed(
      field,
      `at most ${Math.floor(header.remaining / smallest)} elements, as the rest of the file can hold`,
      header.exactUint64(countAt),
      offset,
    );
  }
  if (type.name === 'string') return readStrings(header, count, field, offset);
  const bytes = header.bytes(count * smallest, field);
  return type.name === 'bool'
    ? { type: 'array', elementType: 'bool', values: bools(bytes, field, offset), offset }
    : { type: 'array', elementType: type.name, values: numbers(type.name, bytes), offset };
}

function readStrings(header: HeaderBytes, count: number, field: string, offset: number): GgufStringArray {
  // Walks to the end first: nothing is decoded or allocated before all its bytes are loaded.
  const start = header.position;
  for (let i = 0; i < count; i++) header.skipString(field);
  const bytes = header.position - start;
  header.position = start;
  const strings = decodeStrings(header.bytes(bytes, field), count);
  if (!strings) throw malformed(field, 'UTF-8', `more than ${mostRawStrings} other strings`, offset);
  return { type: 'array', elementType: 'string', ...strings, offset };
}
