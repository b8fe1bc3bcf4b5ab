import { isPocketError } from '@pocketllm/abi';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { Walker } from '../../../../tests/support/grammar-walk.js';
import { processorMs } from '../../../../tests/support/processor-time.js';
import { taleTokenizer } from '../../../../tests/support/tale-tokenizer.js';
import { Constraints } from './constraints.js';

const ajv = new Ajv2020({ strict: false, logger: false, validateSchema: false, ownProperties: true });
let constraints: Constraints;

beforeAll(async () => {
  constraints = new Constraints(await taleTokenizer());
});

/** What a format leads to: nothing, or a refusal with a code. Anything else is thrown. */
async function outcome(responseFormat: unknown): Promise<'held' | 'refused'> {
  try {
    const constraint = await constraints.ofText({ responseFormat: responseFormat as never })!();
    constraint.mask(new Float32Array(4096));
    constraint.dispose();
    return 'held';
  } catch (error) {
    if (!isPocketError(error, 'REQUEST_INVALID')) throw error;
    return 'refused';
  }
}

const small = fc.integer({ min: -3, max: 12 });
const names = fc.constantFrom('a', 'b', 'ab', '', 'x"\\', '__proto__', 'constructor', '\u00e9');

/** Schemas that mean something, as well as some that contradict themselves. */
const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record(
      { type: fc.constantFrom('integer', 'number'), minimum: small, maximum: small, exclusiveMinimum: small },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      { type: fc.constant('string'), minLength: fc.nat(4), maxLength: fc.nat(9) },
      { requiredKeys: ['type'] },
    ),
    fc.record({
      type: fc.constant('string'),
      pattern: fc.constantFrom('^a|b$', '[^"]+', '^(x|y\\\\)*$', '\\d{2}'),
    }),
    fc.record({ enum: fc.array(fc.jsonValue({ maxDepth: 2 }), { minLength: 1, maxLength: 3 }) }),
    fc.record({ const: fc.jsonValue({ maxDepth: 2 }) }),
    fc.constantFrom<unknown>({ type: 'null' }, { type: 'boolean' }, true, false, {}),
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(names, tie('schema'), { maxKeys: 3 }),
        required: fc.uniqueArray(names, { maxLength: 3 }),
        additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
        maxProperties: fc.nat(5),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      {
        type: fc.constant('array'),
        items: tie('schema'),
        prefixItems: fc.array(tie('schema'), { maxLength: 2 }),
        minItems: fc.nat(2),
        maxItems: fc.nat(4),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
  ),
}));

describe('random schemas', () => {
  it('are refused, or answers under them are valid', async () => {
    let ended = 0;
    const property = fc.asyncProperty(schema, fc.nat(1e6), async (given, seed) => {
      let walker: Walker;
      try {
        walker = Walker.ofSchema(given);
      } catch (error) {
        if (isPocketError(error, 'REQUEST_INVALID')) return;
        throw error;
      }
      const text = await walker.random(seed, 300);
      if (text === undefined) return;
      ended++;
      expect(ajv.validate(given as AnySchema, JSON.parse(text)), text).toBe(true);
    });
    await fc.assert(property, { numRuns: 400, seed: 1 });
    expect(ended).toBeGreaterThan(150);
  }, 120_000);

  it('of anything at all are held or refused', async () => {
    const keyword = fc.constantFrom(
      'type',
      'properties',
      'items',
      'anyOf',
      'enum',
      '$ref',
      'pattern',
      'format',
      'minimum',
      'maxLength',
      'required',
      'allOf',
      'prefixItems',
      'propertyNames',
      '$defs',
      'not',
    );
    const { anything } = fc.letrec<{ anything: unknown }>((tie) => ({
      anything: fc.oneof(
        { depthSize: 'small' },
        fc.jsonValue({ maxDepth: 1 }),
        fc.constantFrom('object', '#', '#/$defs/a', 'string', 'date'),
        fc.dictionary(keyword, tie('anything'), { maxKeys: 3 }),
        fc.array(tie('anything'), { maxLength: 3 }),
      ),
    }));
    const property = fc.asyncProperty(anything, async (given) => {
      await outcome({ type: 'json_schema', schema: given });
    });
    await fc.assert(property, { numRuns: 400, seed: 2 });
  }, 120_000);
});

describe('random grammars and expressions', () => {
  const piece = fc.constantFrom(
    'root',
    ' ::= ',
    '"a"',
    '[b-d]',
    '[^e]',
    '(',
    ')',
    '|',
    '*',
    '+',
    '?',
    '{2}',
    '{1,3}',
    '{0,}',
    ' ',
    '\n',
    'x',
    '.',
    '\\',
    '"',
    '[',
    ']',
    '#',
    '""',
    '\u00e9',
  );
  const source = fc
    .array(piece, { maxLength: 20 })
    .map((pieces) => `root ::= ${pieces.join('')}\nx ::= "y" | x root?`);

  it('are held or refused', async () => {
    const seen = { held: 0, refused: 0 };
    const property = fc.asyncProperty(source, async (grammar) => {
      seen[await outcome({ type: 'grammar', grammar })]++;
    });
    await fc.assert(property, { numRuns: 600, seed: 3 });
    expect(seen.held).toBeGreaterThan(20);
    expect(seen.refused).toBeGreaterThan(20);
  }, 120_000);

  it('match what the expression itself matches', async () => {
    const part = fc.constantFrom(
      'a',
      'b+',
      '[^ab]',
      '\\d',
      '\\w?',
      '(?:a|bc)',
      '(x)*',
      '.',
      'z{2,3}',
      '\u00e9|\u{1f600}',
      '[\\s-]',
      '\\u{41}',
      '[^\\W\\d]{0,2}',
      '\\.',
    );
    const pattern = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));
    const property = fc.asyncProperty(pattern, fc.nat(1e6), async (given, seed) => {
      const walker = Walker.ofSchema({ type: 'string', pattern: `^(?:${given})$` });
      const text = await walker.random(seed, 300);
      if (text !== undefined) expect(JSON.parse(text)).toMatch(new RegExp(`^(?:${given})$`, 'u'));
    });
    await fc.assert(property, { numRuns: 200, seed: 4 });
  }, 120_000);
});

describe('hostile forms', () => {
  const nested = (depth: number, open: string, inner: string, close: string) =>
    open.repeat(depth) + inner + close.repeat(depth);

  it.each<[string, unknown]>([
    [
      'a repetition of repetitions',
      { type: 'grammar', grammar: `root ::= ${nested(6, '(', '"a"', '){0,9999}')}` },
    ],
    ['loops of what may be empty', { type: 'grammar', grammar: `root ::= ${nested(30, '(', '"a"?', ')*')}` }],
    ['very many ways to read one text', { type: 'grammar', grammar: 'root ::= ("a" | "aa" | root root)*' }],
    [
      'a long chain of rules',
      {
        type: 'grammar',
        grammar: `${Array.from({ length: 4000 }, (_, i) => `r${i} ::= r${i + 1} | "a"`).join('\n')}\nr4000 ::= "b"\nroot ::= r0`,
      },
    ],
    ['counted wide sets', { type: 'regex', pattern: '(?:[^a]{1,1000}b){50}' }],
    ['an expression that backtracks', { type: 'regex', pattern: '(?:(?:a+)+)+b' }],
    ['very many choices', { type: 'choice', choices: Array.from({ length: 3000 }, (_, i) => `choice ${i}`) }],
    ['a very long text', { type: 'choice', choices: ['x'.repeat(200_000)] }],
    [
      'many counted strings',
      {
        type: 'json_schema',
        schema: {
          type: 'array',
          prefixItems: Array.from({ length: 200 }, (_, i) => ({ type: 'string', maxLength: 1800 + i })),
        },
      },
    ],
    [
      'references that multiply',
      {
        type: 'json_schema',
        schema: {
          $defs: Object.fromEntries(
            Array.from({ length: 40 }, (_, i) => [
              `d${i}`,
              { type: 'array', prefixItems: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
            ]).concat([['d40', { type: 'null' }] as never]),
          ),
          $ref: '#/$defs/d0',
        },
      },
    ],
    [
      'very many properties',
      {
        type: 'json_schema',
        schema: {
          type: 'object',
          properties: Object.fromEntries(
            Array.from({ length: 5000 }, (_, i) => [`p${i}`, { type: 'boolean' }]),
          ),
        },
      },
    ],
    [
      'names that are to be left out',
      {
        type: 'json_schema',
        schema: {
          type: 'object',
          properties: Object.fromEntries(
            Array.from({ length: 800 }, (_, i) => [`name${i}`.repeat(20), { type: 'boolean' }]),
          ),
          additionalProperties: true,
        },
      },
    ],
    [
      'a pattern of 100,000 units',
      { type: 'json_schema', schema: { type: 'string', pattern: 'a?'.repeat(50_000) } },
    ],
  ])(
    '%s end soon',
    async (_, format) => {
      const started = processorMs();
      expect(['held', 'refused']).toContain(await outcome(format));
      expect(processorMs() - started).toBeLessThan(20_000);
    },
    120_000,
  );
});
