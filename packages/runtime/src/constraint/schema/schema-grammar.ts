import { choice, type GrammarNode, refused, text } from '../grammar/grammar.js';
import type { Rules } from '../grammar/rules.js';
import { alternatives } from './alternatives.js';
import { arrayText } from './arrays.js';
import { valueText } from './json-text.js';
import { checkSchemaSize } from './limits.js';
import { objectText } from './objects.js';
import { integerOf, numberOf, stringOf } from './scalars.js';
import {
  keywordsOf,
  type Place,
  resolve,
  type SchemaObject,
  schemaAt,
  unsupported,
} from './schema-reader.js';

/** Makes grammars of the schemas within one document. */
export interface SchemaCompiler {
  /** The whole document. */
  readonly root: Place;
  readonly rules: Rules;
  /** The values of a schema. */
  node(place: Place): GrammarNode;
  /** Any value of JSON. */
  any(): GrammarNode;
}

const typeNames = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const;
export type TypeName = (typeof typeNames)[number];

/** Keywords by the type that they are about. */
const keywordsByType: Readonly<Record<TypeName, readonly string[]>> = {
  null: [],
  boolean: [],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  array: ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems'],
  object: [
    'properties',
    'required',
    'additionalProperties',
    'propertyNames',
    'minProperties',
    'maxProperties',
  ],
};
const typed = new Set(Object.values(keywordsByType).flat());

/**
 * The values that a JSON schema allows (of the draft 2020-12, as far as it goes). Not all of them: JSON
 * is on one line, properties come in the order of the schema, and those it does not name are left out unless
 * `additionalProperties` asks for them. REQUEST_INVALID, with the path of the keyword, for what cannot be held to.
 */
export function schemaNode(schema: unknown, path: string, rules: Rules): GrammarNode {
  checkSchemaSize(schema, path);
  const root = { schema, path };
  return new Compiler(root, rules).node(root);
}

class Compiler implements SchemaCompiler {
  constructor(
    readonly root: Place,
    readonly rules: Rules,
  ) {}

  node(place: Place): GrammarNode {
    const schema = schemaAt(place);
    if (schema === true) return this.any();
    if (schema === false) return choice();
    const keywords = keywordsOf(schema, place === this.root);
    const { path } = place;
    for (const [keyword, make] of whole) {
      if (!keywords.includes(keyword)) continue;
      const beside = keywords.filter(
        (other) => other !== keyword && other !== (keyword === '$ref' ? '' : 'type'),
      );
      if (beside.length > 0)
        throw unsupported(path, beside[0]!, `nothing beside ${keyword} that it is held to`);
      return make(this, place, typesOf(schema, path));
    }
    const unknown = keywords.find((keyword) => keyword !== 'type' && !typed.has(keyword));
    if (unknown !== undefined) throw unsupported(path, unknown);
    const types = typesOf(schema, path) ?? impliedTypes(keywords);
    if (keywords.length === 0) return this.any();
    return choice(...types.map((type) => this.#typed(type, place, schema)));
  }

  any(): GrammarNode {
    return this.rules.get('any value', () =>
      choice(...typeNames.map((type) => this.#typed(type, { schema: {}, path: '' }, {}))),
    );
  }

  #typed(type: TypeName, place: Place, schema: SchemaObject): GrammarNode {
    switch (type) {
      case 'null':
        return text('null');
      case 'boolean':
        return choice(text('true'), text('false'));
      case 'integer':
        return integerOf(place, schema);
      case 'number':
        return numberOf(place, schema);
      case 'string':
        return stringOf(this, place, schema);
      case 'array':
        return arrayText(this, place, schema);
      case 'object':
        return objectText(this, place, schema);
    }
  }
}

type Make = (compiler: Compiler, place: Place, types: readonly TypeName[] | undefined) => GrammarNode;

/** Keywords that say all there is to say of a value. */
const whole: readonly (readonly [string, Make])[] = [
  [
    '$ref',
    (compiler, place) => {
      const target = resolve(compiler.root, (place.schema as SchemaObject).$ref, place.path);
      return compiler.rules.get(`schema ${target.path}`, () => compiler.node(target));
    },
  ],
  ['const', (_, { schema }, types) => values([(schema as SchemaObject).const], types)],
  [
    'enum',
    (_, { schema, path }, types) => {
      const listed = (schema as SchemaObject).enum;
      if (Array.isArray(listed)) return values(listed, types);
      throw refused(`${path}.enum`, 'a list of values', listed);
    },
  ],
  ['anyOf', (compiler, place, types) => alternatives(compiler, place, 'anyOf', types)],
  ['oneOf', (compiler, place, types) => alternatives(compiler, place, 'oneOf', types)],
  ['allOf', (compiler, place, types) => alternatives(compiler, place, 'allOf', types)],
];

function values(listed: readonly unknown[], types: readonly TypeName[] | undefined): GrammarNode {
  const allowed = listed.filter(
    (value) => types === undefined || types.some((type) => isOfType(value, type)),
  );
  return choice(...allowed.map(valueText));
}

function isOfType(value: unknown, type: TypeName): boolean {
  if (value === null) return type === 'null';
  if (Array.isArray(value)) return type === 'array';
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function typesOf({ type }: SchemaObject, path: string): readonly TypeName[] | undefined {
  if (type === undefined) return undefined;
  const listed: unknown[] = Array.isArray(type) ? type : [type];
  const odd = listed.find((name) => !typeNames.some((known) => known === name));
  if (odd !== undefined || listed.length === 0)
    throw refused(`${path}.type`, typeNames.join(', '), odd ?? type);
  return [...new Set(listed as TypeName[])];
}

/** Types that keywords are about. Values of all others would fit too; nobody means them. */
function impliedTypes(keywords: readonly string[]): readonly TypeName[] {
  return typeNames.filter(
    (type) => type !== 'integer' && keywordsByType[type].some((keyword) => keywords.includes(keyword)),
  );
}
