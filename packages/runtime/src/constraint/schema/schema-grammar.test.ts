import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { Walker } from '../../../../../tests/support/grammar-walk.js';
import { Rules } from '../grammar/rules.js';
import { schemaNode } from './schema-grammar.js';

const ajv = new Ajv2020({ strict: false, validateFormats: true });
addFormats.default(ajv);

/** An id may be given to ajv once. */
const withoutId = (schema: unknown) =>
  (typeof schema === 'object' ? { ...schema, $id: undefined } : schema) as AnySchema;

const tries = 40;

/** A schema with values that it allows, and that answers under it can be; and some that it does not. */
interface Case {
  readonly schema: unknown;
  readonly allowed: readonly unknown[];
  readonly refused: readonly unknown[];
}

const cases: Record<string, Case> = {
  'type null': { schema: { type: 'null' }, allowed: [null], refused: [0, ''] },
  'type boolean': { schema: { type: 'boolean' }, allowed: [true, false], refused: [0, 'true'] },
  'type integer': { schema: { type: 'integer' }, allowed: [0, -1, 12345], refused: [1.5, '1'] },
  'type number': { schema: { type: 'number' }, allowed: [0, -1.25, 1e21, 2e-7], refused: ['1', null] },
  'type string': {
    schema: { type: 'string' },
    allowed: ['', 'a"b\\c\n', 'h\u00e9\u4e2d\u{1f600}'],
    refused: [1, null],
  },
  'several types': { schema: { type: ['string', 'null'] }, allowed: ['a', null], refused: [1, {}] },
  'type array': { schema: { type: 'array' }, allowed: [[], [1, 'a', [null]]], refused: [{}, 1] },
  'type object': { schema: { type: 'object' }, allowed: [{}, { a: { b: [1] } }], refused: [[], 1] },
  true: { schema: true, allowed: [1, 'a', [{}], null], refused: [] },
  const: { schema: { const: { a: [1, 'x"'] } }, allowed: [{ a: [1, 'x"'] }], refused: [{ a: [1] }, {}] },
  enum: { schema: { enum: ['a', 1, null, 'a b'] }, allowed: ['a', 1, null, 'a b'], refused: ['b', 2] },
  'enum and type': { schema: { type: 'string', enum: ['a', 1] }, allowed: ['a'], refused: [1] },
  minimum: { schema: { type: 'integer', minimum: -12 }, allowed: [-12, 0, 99], refused: [-13, -100] },
  maximum: {
    schema: { type: 'integer', maximum: 105 },
    allowed: [105, 104, 9, -7000],
    refused: [106, 200, 1050],
  },
  'minimum and maximum': {
    schema: { type: 'integer', minimum: 87, maximum: 1203 },
    allowed: [87, 99, 100, 999, 1000, 1199, 1203],
    refused: [86, 8, 1204, 1300, 2000, -90],
  },
  'a range below zero': {
    schema: { type: 'integer', minimum: -30, maximum: -5 },
    allowed: [-30, -5, -17],
    refused: [-4, -31, 5, 0],
  },
  'exclusive ends': {
    schema: { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 10 },
    allowed: [1, 9],
    refused: [0, 10, -1],
  },
  'ends of a safe integer': {
    schema: { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 },
    allowed: [0, -5, 123456789012345],
    refused: [0.5],
  },
  'multipleOf 1': { schema: { type: 'integer', multipleOf: 1 }, allowed: [3], refused: [3.5] },
  'a range of numbers': {
    schema: { type: 'number', minimum: 0.25, maximum: 12.5 },
    allowed: [0.25, 0.3, 1, 12, 12.5, 12.499, 9.75],
    refused: [0.24, 0, 12.51, 13, -1, 0.2],
  },
  'exclusive ends of numbers': {
    schema: { type: 'number', exclusiveMinimum: -1.5, exclusiveMaximum: 2 },
    allowed: [-1.49, 0, 1.999, -1],
    refused: [-1.5, 2, -2, 2.1],
  },
  'numbers within one whole': {
    schema: { type: 'number', minimum: 3.14, exclusiveMaximum: 3.2 },
    allowed: [3.14, 3.19, 3.15159],
    refused: [3.2, 3.13, 3, 4],
  },
  'numbers from zero to one': {
    schema: { type: 'number', minimum: 0, maximum: 1 },
    allowed: [0, 1, 0.5, 0.001],
    refused: [1.1, -0.1, 2],
  },
  'numbers above a bound': {
    schema: { type: 'number', exclusiveMinimum: 17.5 },
    allowed: [17.51, 18, 1234567.5],
    refused: [17.5, 17, 1, -20],
  },
  'numbers below a bound': {
    schema: { type: 'number', maximum: -2 },
    allowed: [-2, -2.5, -300],
    refused: [-1.9, 0, 2],
  },
  minLength: {
    schema: { type: 'string', minLength: 3 },
    allowed: ['abc', 'a"\\d', '\u{1f600}\u{1f600}\u{1f600}'],
    refused: ['', 'ab', '\u{1f600}\u{1f600}'],
  },
  maxLength: {
    schema: { type: 'string', maxLength: 3 },
    allowed: ['', 'abc', '\n\n\n', '\u{1f600}\u{1f600}\u{1f600}'],
    refused: ['abcd'],
  },
  'both lengths': {
    schema: { type: 'string', minLength: 2, maxLength: 4 },
    allowed: ['ab', 'abcd'],
    refused: ['a', 'abcde'],
  },
  pattern: {
    schema: { type: 'string', pattern: '^[a-z]{2,4}(-\\d+)?$' },
    allowed: ['ab', 'abcd-12'],
    refused: ['a', 'ab-', 'AB', ' ab'],
  },
  'a pattern somewhere': {
    schema: { type: 'string', pattern: '[g-z]+-?' },
    allowed: ['f"o"', '\n foo- b'],
    refused: ['f"', ''],
  },
  'a pattern of what must be escaped': {
    schema: { type: 'string', pattern: '^["\\\\\\n\\u0001x]+$' },
    allowed: ['"', '\\\n', '\u0001x'],
    refused: ['a', ''],
  },
  'ways of a pattern': {
    schema: { type: 'string', pattern: '^a|b$|^\u00e9[^\\x00-\\uffff]$' },
    allowed: ['ab', 'xb', 'ax', '\u00e9\u{1f600}'],
    refused: ['xa', 'bx'],
  },
  ...Object.fromEntries(
    [
      ['date', '2024-02-28', '2024-13-01'],
      ['time', '12:30:00Z', '25:00:00Z'],
      ['date-time', '2024-02-28T12:30:00+02:00', '2024-02-28'],
      ['duration', 'P3D', '3 days'],
      ['email', 'a.b@example.org', 'a@'],
      ['hostname', 'example.org', '-a'],
      ['ipv4', '10.0.255.1', '10.0.256.1'],
      ['ipv6', '1:2:3:4:5:6:7:8', '1:2'],
      ['uri', 'http://example.org/a', 'example'],
      ['uuid', '123e4567-e89b-12d3-a456-426614174000', '123'],
    ].map(([format, good, bad]) => [
      `format ${format}`,
      { schema: { type: 'string', format }, allowed: [good], refused: [bad] },
    ]),
  ),
  items: {
    schema: { type: 'array', items: { type: 'integer' } },
    allowed: [[], [1, 2, 3]],
    refused: [['a'], [1, null]],
  },
  minItems: {
    schema: { type: 'array', items: { type: 'null' }, minItems: 2 },
    allowed: [
      [null, null],
      [null, null, null],
    ],
    refused: [[], [null]],
  },
  maxItems: {
    schema: { type: 'array', items: { type: 'null' }, maxItems: 2 },
    allowed: [[], [null], [null, null]],
    refused: [[null, null, null]],
  },
  'no items': { schema: { type: 'array', maxItems: 0 }, allowed: [[]], refused: [[1]] },
  'items that cannot be': { schema: { type: 'array', items: false }, allowed: [[]], refused: [[1]] },
  prefixItems: {
    schema: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }] },
    allowed: [[], ['a'], ['a', 1]],
    refused: [[1], ['a', 'b']],
  },
  'prefixItems and items': {
    schema: {
      type: 'array',
      prefixItems: [{ type: 'string' }],
      items: { type: 'integer' },
      minItems: 2,
      maxItems: 3,
    },
    allowed: [
      ['a', 1],
      ['a', 1, 2],
    ],
    refused: [['a'], ['a', 'b'], ['a', 1, 2, 3]],
  },
  'more items than have schemas': {
    schema: { type: 'array', prefixItems: [{ type: 'null' }], minItems: 2, maxItems: 2 },
    allowed: [[null, 'x']],
    refused: [[null]],
  },
  'uniqueItems of one': {
    schema: { type: 'array', items: { type: 'integer' }, maxItems: 1, uniqueItems: true },
    allowed: [[1]],
    refused: [[1, 1]],
  },
  properties: {
    schema: {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'string' } },
      required: ['a', 'b'],
    },
    allowed: [{ a: 1, b: 'x' }],
    refused: [{ a: 1 }, { a: 'x', b: 'x' }, {}],
  },
  'optional properties': {
    schema: {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'null' }, c: { type: 'boolean' } },
      required: ['b'],
    },
    allowed: [{ b: null }, { a: 1, b: null }, { b: null, c: true }, { a: 1, b: null, c: false }],
    refused: [{}, { a: 1 }, { b: 1 }],
  },
  'only optional properties': {
    schema: { type: 'object', properties: { a: { type: 'integer' }, 'b"': { type: 'null' } } },
    allowed: [{}, { a: 1 }, { 'b"': null }, { a: 1, 'b"': null }],
    refused: [{ a: null }],
  },
  'additionalProperties false': {
    schema: { type: 'object', properties: { a: {} }, additionalProperties: false },
    allowed: [{}, { a: [1] }],
    refused: [{ b: 1 }],
  },
  'additionalProperties of a schema': {
    schema: {
      type: 'object',
      properties: { a: { type: 'string' }, ab: { type: 'string' } },
      additionalProperties: { type: 'integer' },
    },
    allowed: [{}, { a: 'x', z: 1 }, { b: 1, abc: 2, aa: 3, '': 4 }],
    refused: [{ a: 1 }, { z: 'x' }, { ab: 1 }],
  },
  'additionalProperties alone': {
    schema: { type: 'object', additionalProperties: { type: 'boolean' } },
    allowed: [{}, { x: true, 'y"': false }],
    refused: [{ x: 1 }],
  },
  'required without properties': {
    schema: { type: 'object', required: ['a'] },
    allowed: [{ a: 1 }, { a: {}, b: 2 }],
    refused: [{}, { b: 1 }],
  },
  'required beside additionalProperties': {
    schema: {
      type: 'object',
      properties: { a: { type: 'null' } },
      required: ['b'],
      additionalProperties: { type: 'integer' },
    },
    allowed: [
      { a: null, b: 1 },
      { b: 2, c: 3 },
    ],
    refused: [{ a: null }, { b: 'x' }],
  },
  propertyNames: {
    schema: {
      type: 'object',
      propertyNames: { pattern: '^x[0-9]$' },
      additionalProperties: { type: 'integer' },
    },
    allowed: [{}, { x1: 1, x2: 2 }],
    refused: [{ a: 1 }, { x1: 'a' }],
  },
  'propertyNames of a list': {
    schema: {
      type: 'object',
      propertyNames: { enum: ['a', 'b'] },
      additionalProperties: { type: 'integer' },
      required: ['a', 'b'],
    },
    allowed: [{ a: 1, b: 2 }],
    refused: [{ a: 1 }, { a: 1, b: 2, c: 3 }],
  },
  maxProperties: {
    schema: { type: 'object', additionalProperties: { type: 'null' }, maxProperties: 2 },
    allowed: [{}, { a: null, b: null }],
    refused: [{ a: null, b: null, c: null }],
  },
  'minProperties that are required': {
    schema: { type: 'object', properties: { a: {} }, required: ['a'], minProperties: 1 },
    allowed: [{ a: 1 }],
    refused: [{}],
  },
  anyOf: {
    schema: { anyOf: [{ type: 'integer' }, { type: 'string', maxLength: 2 }] },
    allowed: [1, 'ab'],
    refused: ['abc', null],
  },
  'anyOf beside a type': {
    schema: { type: 'number', anyOf: [{ minimum: 5 }, { maximum: -5 }] },
    allowed: [5, -5],
    refused: [0],
  },
  'oneOf by type': {
    schema: { oneOf: [{ type: 'integer' }, { type: 'string' }] },
    allowed: [1, 'a'],
    refused: [null],
  },
  'oneOf by a constant': {
    schema: {
      oneOf: [
        {
          type: 'object',
          properties: { kind: { const: 'a' }, x: { type: 'integer' } },
          required: ['kind', 'x'],
        },
        { $ref: '#/$defs/b' },
      ],
      $defs: { b: { type: 'object', properties: { kind: { enum: ['b', 'c'] } }, required: ['kind'] } },
    },
    allowed: [{ kind: 'a', x: 1 }, { kind: 'c' }],
    refused: [{ kind: 'a' }, { kind: 'd' }],
  },
  'allOf of one': { schema: { allOf: [{ type: 'null' }] }, allowed: [null], refused: [1] },
  $ref: {
    schema: { type: 'array', items: { $ref: '#/$defs/a~1b' }, $defs: { 'a/b': { type: 'integer' } } },
    allowed: [[1]],
    refused: [['a']],
  },
  'a $ref to itself': {
    schema: {
      type: 'object',
      properties: { v: { type: 'integer' }, next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } },
      required: ['v', 'next'],
    },
    allowed: [
      { v: 1, next: null },
      { v: 1, next: { v: 2, next: null } },
    ],
    refused: [{ v: 1 }, { v: 1, next: { v: 2 } }],
  },
  notes: {
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'x',
      title: 't',
      description: 'd',
      default: 1,
      examples: [1],
      $comment: 'c',
      deprecated: true,
      readOnly: true,
      writeOnly: false,
      type: 'integer',
    },
    allowed: [1],
    refused: ['a'],
  },
  'types that keywords imply': {
    schema: { properties: { a: { minLength: 1 } }, required: ['a'] },
    allowed: [{ a: 'x' }],
    refused: [{ a: '' }, {}],
  },
};

describe.each(Object.entries(cases))('answers under %s', (_, { schema, allowed, refused }) => {
  const isValid = ajv.compile(withoutId(schema));

  it('are valid, many random ones', async () => {
    const walker = Walker.ofSchema(schema);
    let ended = 0;
    for (let seed = 0; seed < tries; seed++) {
      const text = await walker.random(seed);
      if (text === undefined) continue;
      ended++;
      expect(isValid(JSON.parse(text)), text).toBe(true);
    }
    expect(ended).toBeGreaterThan(0);
  });

  it('can be what they should be, and nothing that the schema refuses', async () => {
    const walker = Walker.ofSchema(schema);
    for (const value of allowed) {
      expect(isValid(value), JSON.stringify(value)).toBe(true);
      expect(await walker.allows(JSON.stringify(value)), JSON.stringify(value)).toBe(true);
    }
    for (const value of refused) {
      expect(isValid(value), JSON.stringify(value)).toBe(false);
      expect(await walker.allows(JSON.stringify(value)), JSON.stringify(value)).toBe(false);
    }
  });
});

describe('a schema is refused, by the path of what is at fault', () => {
  const node = (schema: unknown) => schemaNode(schema, 's', new Rules());

  it.each<[string, unknown]>([
    ['s.not', { not: { type: 'string' } }],
    ['s.if', { type: 'object', if: {} }],
    ['s.dependentRequired', { type: 'object', dependentRequired: {} }],
    ['s.dependentSchemas', { type: 'object', dependentSchemas: {} }],
    ['s.patternProperties', { type: 'object', patternProperties: {} }],
    ['s.unevaluatedProperties', { type: 'object', unevaluatedProperties: false }],
    ['s.unevaluatedItems', { type: 'array', unevaluatedItems: false }],
    ['s.contains', { type: 'array', contains: {} }],
    ['s.minContains', { type: 'array', minContains: 1 }],
    ['s.uniqueItems', { type: 'array', uniqueItems: true }],
    ['s.multipleOf', { type: 'number', multipleOf: 0.1 }],
    ['s.multipleOf', { type: 'integer', multipleOf: 5 }],
    ['s.allOf', { allOf: [{ type: 'string' }, { minLength: 1 }] }],
    ['s.oneOf', { oneOf: [{ type: 'integer' }, { type: 'number' }] }],
    [
      's.oneOf',
      {
        oneOf: [
          { type: 'object', properties: { a: { const: 1 } } },
          { type: 'object', properties: { a: { const: 2 } } },
        ],
      },
    ],
    ['s.minLength', { enum: ['a'], minLength: 1 }],
    ['s.description2', { description2: 'x' }],
    ['s.$anchor', { $anchor: 'x' }],
    ['s.$dynamicRef', { $dynamicRef: '#x' }],
    ['s.contentEncoding', { type: 'string', contentEncoding: 'base64' }],
    ['s.nullable', { type: 'string', nullable: true }],
    ['s.items', { type: 'array', items: [{ type: 'string' }] }],
    ['s.minProperties', { type: 'object', minProperties: 1 }],
    ['s.maxProperties', { type: 'object', properties: { a: {}, b: {} }, maxProperties: 1 }],
    ['s.propertyNames', { type: 'object', properties: { a: {} }, propertyNames: { pattern: 'a' } }],
    ['s.format', { type: 'string', format: 'regex' }],
    ['s.maxLength', { type: 'string', pattern: 'a', maxLength: 3 }],
    ['s.minLength', { type: 'string', format: 'date', minLength: 3 }],
    ['s.maxLength', { type: 'string', maxLength: 1e9 }],
    ['s.pattern', { type: 'string', pattern: '(' }],
    ['s.pattern', { type: 'string', pattern: '(?=a)b' }],
    ['s.pattern', { type: 'string', pattern: '(a)\\1' }],
    ['s.pattern', { type: 'string', pattern: '\\ba' }],
    ['s.pattern', { type: 'string', pattern: 'a(^b)' }],
    ['s.pattern', { type: 'string', pattern: '(a$)b' }],
    ['s.pattern', { type: 'string', pattern: '\\p{L}' }],
    ['s.$ref', { $ref: 'https://example.org/schema' }],
    ['s.$ref', { $ref: '#/$defs/missing' }],
    ['s.minLength', { $ref: '#/$defs/a', minLength: 1, $defs: { a: {} } }],
    ['s.type', { type: 'text' }],
    ['s.type', { type: [] }],
    ['s.minItems', { type: 'array', minItems: -1 }],
    ['s.maxItems', { type: 'array', maxItems: 'a' }],
    ['s.minimum', { type: 'integer', minimum: '1' }],
    ['s', { type: 'number', minimum: 1e20 }],
    ['s.required', { type: 'object', required: 'a' }],
    ['s.enum', { enum: 'a' }],
    ['s.anyOf', { anyOf: [] }],
    ['s.anyOf.0.type', { type: 'string', anyOf: [{ type: 'integer' }] }],
    [
      's.properties.a.items.not',
      { type: 'object', properties: { a: { type: 'array', items: { not: {} } } } },
    ],
    ['s.$defs.a.not', { $ref: '#/$defs/a', $defs: { a: { not: {} } } }],
    ['s', 'string'],
    ['s', Array.from({ length: 30_000 }, () => 1)],
  ])('%s of %j', (field, schema) => {
    expect(() => node(schema)).toThrow(
      expect.objectContaining({ code: 'REQUEST_INVALID', details: expect.objectContaining({ field }) }),
    );
  });

  it.each<[string, unknown]>([
    ['false', false],
    ['an empty list', { enum: [] }],
    ['itself for ever', { type: 'object', properties: { a: { $ref: '#' } }, required: ['a'] }],
    ['a circle', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }],
    ['a range upside down', { type: 'integer', minimum: 5, maximum: 4 }],
    ['too many items', { type: 'array', items: {}, minItems: 3, maxItems: 2 }],
    ['what is required and cannot be', { type: 'object', required: ['a'], additionalProperties: false }],
    ['more items than 20,000 places', { type: 'array', items: { type: 'null' }, maxItems: 1e6 }],
  ])('where it asks for %s', (_, schema) => {
    expect(() => Walker.ofSchema(schema)).toThrow(expect.objectContaining({ code: 'REQUEST_INVALID' }));
  });

  it('deeper than 64 levels', () => {
    let schema: object = { type: 'null' };
    for (let depth = 0; depth < 100; depth++) schema = { type: 'array', items: schema };
    expect(() => node(schema)).toThrow('at most 64 levels');
  });
});
