import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ops } from '../ops/index.js';
import { capabilitiesSchema } from './capabilities-schema.js';
import { parseCapabilities } from './parse-capabilities.js';

type Schema = Readonly<Record<string, unknown>>;

const root = capabilitiesSchema() as Schema;
const schemasIn = (value: unknown) => Object.entries((value ?? {}) as Record<string, Schema>);

/** Whether a value fits a schema: the keywords that this schema uses, and no others. */
function fits(schema: Schema, value: unknown): boolean {
  return Object.entries(schema).every(([keyword, argument]) => {
    switch (keyword) {
      case '$schema':
      case '$defs':
      case 'title':
      case 'description':
        return true;
      case '$ref':
        return fits((root.$defs as Record<string, Schema>)[String(argument).split('/').at(-1)!]!, value);
      case 'const':
        return value === argument;
      case 'enum':
        return (argument as unknown[]).includes(value);
      case 'pattern':
        return typeof value !== 'string' || new RegExp(String(argument)).test(value);
      case 'minimum':
        return typeof value !== 'number' || value >= (argument as number);
      case 'type':
        return typeOf(value) === argument;
      case 'items':
        return !Array.isArray(value) || value.every((item) => fits(argument as Schema, item));
      case 'anyOf':
        return (argument as Schema[]).some((option) => fits(option, value));
      case 'required':
        return (argument as string[]).every((name) => Object.hasOwn(Object(value), name));
      case 'properties':
        return schemasIn(argument).every(
          ([name, property]) =>
            !Object.hasOwn(Object(value), name) || fits(property, (value as Record<string, unknown>)[name]),
        );
      case 'additionalProperties':
        return Object.keys(Object(value)).every((name) => Object.hasOwn(Object(schema.properties), name));
      default:
        throw new Error(`this test does not know the keyword ${keyword}`);
    }
  });
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (Number.isSafeInteger(value)) return 'integer';
  return value === null ? 'null' : typeof value;
}

/** Whether the parser takes the file as it stands, without passing over ops and formats that it does not know. */
function parses(file: unknown): boolean {
  try {
    return isDeepStrictEqual(parseCapabilities(file, 'sample'), file);
  } catch {
    return false;
  }
}

const frame = { abi: 1, name: 'sample', deviceClasses: ['cpu', 'cuda'], bitExact: [], ops: [{ op: 'add' }] };
const withRow = (row: unknown) => ({ ...frame, ops: [row] });

describe('capabilitiesSchema', () => {
  it.each(Object.keys(ops))(
    'has a row for %s that the parser takes too, and one op more is refused',
    (op) => {
      const row = {
        op,
        ...(['embedding', 'matmul', 'matmul_experts', 'encode'].includes(op) ? { formats: ['f32'] } : {}),
        ...(op === 'attention' ? { caches: ['f32'] } : {}),
      };
      expect([fits(root, withRow(row)), parses(withRow(row))]).toEqual([true, true]);
      const other = withRow({ ...row, op: `${op}_2` });
      expect([fits(root, other), parses(other)]).toEqual([false, false]);
    },
  );

  it.each([
    frame,
    { ...frame, abi: 2 },
    { ...frame, abi: undefined },
    { ...frame, name: 'UPPER' },
    { ...frame, name: 7 },
    { ...frame, deviceClasses: ['tpu'] },
    { ...frame, deviceClasses: 'cpu' },
    { ...frame, bitExact: ['batch', 'threads'] },
    { ...frame, bitExact: ['sometimes'] },
    { ...frame, ops: 'all' },
    withRow('add'),
    withRow({ op: 'matmul' }),
    withRow({ op: 'matmul', formats: ['q8_0', 'q9_9'] }),
    withRow({ op: 'add', formats: ['f32'] }),
    withRow({ op: 'attention', caches: ['q8_0'], limits: { headSize: { max: 256, multipleOf: 32 } } }),
    withRow({ op: 'attention', caches: ['q4_0'] }),
    withRow({ op: 'attention', caches: ['f16'], limits: { headSize: { max: 0 } } }),
    withRow({ op: 'attention', caches: ['f16'], limits: { headSize: { max: 1.5 } } }),
    withRow({ op: 'attention', caches: ['f16'], limits: { heads: { max: 8 } } }),
    withRow({ op: 'add', limits: { width: {} } }),
    withRow({ op: 'rms_norm', limits: { 'cols/groups': { max: 8 } } }),
    withRow({ op: 'rope', attributes: { pairing: ['neox'] } }),
    withRow({ op: 'rope', attributes: { pairing: ['other'] } }),
    withRow({ op: 'rope', attributes: { base: ['1'] } }),
    [],
    null,
  ])('judges %j as the parser does', (file) => {
    expect(fits(root, file)).toBe(parses(file));
  });

  it('refuses unknown fields, which the parser passes over', () => {
    for (const file of [{ ...frame, sicne: 1 }, withRow({ op: 'add', format: 'f32' })]) {
      expect([fits(root, file), parses(file)]).toEqual([false, true]);
    }
  });
});
