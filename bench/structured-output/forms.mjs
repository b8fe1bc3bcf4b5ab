// @ts-check
// Forms that answers are held to, of many kinds, and what tells whether an answer has the form. All are bounded, so
// that most answers end.
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** @typedef {import('@pocketllm/runtime').ResponseFormat} ResponseFormat */

/**
 * @typedef {object} Form
 * @property {string} name
 * @property {ResponseFormat} format
 * @property {(text: string) => boolean} fits whether it is a whole answer
 * @property {(text: string) => boolean} [begins] whether it is the beginning of one, where some have no end
 */

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

/** @param {string} name @param {object} schema @returns {Form} */
function ofSchema(name, schema) {
  const isValid = ajv.compile(schema);
  const fits = (/** @type {string} */ text) => {
    try {
      return isValid(JSON.parse(text));
    } catch {
      return false;
    }
  };
  return { name, format: { type: 'json_schema', schema }, fits };
}

/** @param {string} name @param {string} pattern @returns {Form} */
const ofPattern = (name, pattern) => ({
  name,
  format: { type: 'regex', pattern },
  fits: (text) => new RegExp(`^(?:${pattern})$`, 'u').test(text),
});

const word = { type: 'string', minLength: 1, maxLength: 12 };

/** @param {Record<string, unknown>} properties @param {string[]} [required] */
const object = (properties, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** @type {readonly Form[]} */
export const forms = [
  ofSchema('a person', object({ name: word, age: { type: 'integer', minimum: 0, maximum: 120 } })),
  ofSchema('an optional note', object({ note: word, ok: { type: 'boolean' } }, ['ok'])),
  ofSchema('a list of words', { type: 'array', items: word, minItems: 1, maxItems: 4 }),
  ofSchema('one of some values', { enum: ['fox', 'owl', 7, null, { a: [1] }] }),
  ofSchema('numbers in a range', {
    type: 'array',
    items: { type: 'number', minimum: -1.5, exclusiveMaximum: 40 },
    maxItems: 3,
  }),
  ofSchema('alternatives', {
    anyOf: [
      object({ kind: { const: 'a' }, word }),
      object({ kind: { const: 'b' }, n: { type: 'integer' } }),
      { type: 'null' },
    ],
  }),
  ofSchema(
    'a date and an address',
    object({ on: { type: 'string', format: 'date' }, mail: { type: 'string', format: 'email' } }),
  ),
  ofSchema('a pattern', object({ code: { type: 'string', pattern: '^[A-Z]{2}-\\d{3,5}$' } })),
  {
    ...ofSchema('a list within itself', {
      $ref: '#/$defs/node',
      $defs: {
        node: object({
          v: { type: 'integer', minimum: 0, maximum: 9 },
          next: { type: 'array', items: { $ref: '#/$defs/node' }, maxItems: 1 },
        }),
      },
    }),
    begins: isOpenList,
  },
  ofSchema('a map', {
    type: 'object',
    additionalProperties: { type: 'boolean' },
    propertyNames: { maxLength: 5 },
    maxProperties: 3,
  }),
  ofSchema('a tuple', {
    type: 'array',
    prefixItems: [word, { type: 'boolean' }, { type: 'integer' }],
    minItems: 3,
    items: false,
  }),
  ofPattern('a time of day', '([01]\\d|2[0-3]):[0-5]\\d( (am|pm))?'),
  ofPattern(
    'words of letters beyond ASCII',
    '[a-z\u00e0-\u00ff]{1,8}( [\u4e00-\u9fff\u{1f600}-\u{1f64f}]{1,3})?!',
  ),
  {
    name: 'a sum',
    format: {
      type: 'grammar',
      grammar:
        'root ::= term (" + " term){0,3} " = " number\nterm ::= number | "(" term " - " term ")"\nnumber ::= [1-9] [0-9]{0,2}',
    },
    fits: isSum,
  },
  {
    name: 'one of some texts',
    format: { type: 'choice', choices: ['yes', 'no', 'yes, but not today'] },
    fits: (text) => ['yes', 'no', 'yes, but not today'].includes(text),
  },
];

/** @param {string} text */
function isSum(text) {
  let rest = text;
  let before;
  do {
    before = rest;
    rest = rest.replace(/[1-9]\d{0,2}/g, 'n').replace(/\(n - n\)/g, 'n');
  } while (rest !== before);
  return /^n( \+ n){0,3} = n$/.test(rest);
}

/** Links of a list within itself that are open, and closed again in part. @param {string} text */
function isOpenList(text) {
  const link = '{"v":n,"next":[';
  const rest = text.replace(/ /g, '').replace(/\d/g, 'n').replaceAll(link, '');
  return link.startsWith(rest) || /^(\]\})*\]?$/.test(rest);
}
