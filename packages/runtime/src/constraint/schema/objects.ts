import {
  choice,
  type GrammarNode,
  nothing,
  optional,
  refused,
  repeat,
  sequence,
  text,
} from '../grammar/grammar.js';
import { colon, comma, otherString, stringText, valueText } from './json-text.js';
import type { SchemaCompiler } from './schema-grammar.js';
import { countOf, isObject, type Place, type SchemaObject, unsupported, within } from './schema-reader.js';

interface Property {
  readonly member: GrammarNode;
  readonly isRequired: boolean;
}

/**
 * Objects: the properties in the order of the schema, then required ones that it does not describe, then others. Others
 * come where `additionalProperties` asks for them, or nothing is said of what there may be.
 */
export function objectText(compiler: SchemaCompiler, place: Place, schema: SchemaObject): GrammarNode {
  const { path } = place;
  const required = requiredNames(schema, path);
  const declared = new Set(declaredNames(schema, path));
  const further = [...required].filter((name) => !declared.has(name));
  const names = [...declared, ...further];
  checkNames(place, schema, names);

  const properties = names.map((name): Property => {
    const isDeclared = declared.has(name);
    const value = isDeclared
      ? compiler.node(within(place, 'properties', name))
      : otherValue(compiler, place, schema);
    return { member: sequence(valueText(name), colon, value), isRequired: required.has(name) };
  });
  const others = otherMembers(compiler, place, schema, names);
  return sequence(text('{'), members(compiler, `object ${path}`, properties, others), text('}'));
}

/** Everything between the braces. */
function members(
  { rules }: SchemaCompiler,
  key: string,
  properties: readonly Property[],
  others: Others,
): GrammarNode {
  /** What may follow once the properties before `from` are dealt with; `isFirst` where none of them came. */
  const rest = (from: number, isFirst: boolean): GrammarNode => {
    const property = properties[from];
    if (property === undefined) return others(isFirst);
    return rules.get(`${key} from ${from}${isFirst ? ' first' : ''}`, () => {
      const given = sequence(isFirst ? nothing : comma, property.member, rest(from + 1, false));
      return property.isRequired ? given : choice(given, rest(from + 1, isFirst));
    });
  };
  // From the end, so that none has to wait for all that follow.
  for (let from = properties.length - 1; from > 0; from--) {
    rest(from, true);
    rest(from, false);
  }
  return rest(0, true);
}

/** Members beyond those with names, or nothing; `isFirst` where they are the first. */
type Others = (isFirst: boolean) => GrammarNode;

function otherMembers(
  compiler: SchemaCompiler,
  place: Place,
  schema: SchemaObject,
  names: readonly string[],
): Others {
  const counted: Place = { schema, path: place.path };
  const required = requiredNames(schema, place.path).size;
  const least = countOf(counted, 'minProperties', 0);
  const most = countOf(counted, 'maxProperties', Number.POSITIVE_INFINITY);
  if (least > required) throw unsupported(place.path, 'minProperties', 'no more than are required');
  const isOpen = schema.additionalProperties ?? schema.properties === undefined;
  if (most < names.length) {
    throw unsupported(place.path, 'maxProperties', 'at least as many as have names');
  }
  if (isOpen === false || most === names.length) return () => nothing;
  const name = otherName(compiler, place, schema, names);
  const member = sequence(name, colon, otherValue(compiler, place, schema));
  const more = most - names.length;
  return (isFirst) =>
    isFirst
      ? optional(sequence(member, repeat(sequence(comma, member), 0, more - 1)))
      : repeat(sequence(comma, member), 0, more);
}

/** The value of a property that has no schema of its own. */
function otherValue(
  compiler: SchemaCompiler,
  place: Place,
  { additionalProperties }: SchemaObject,
): GrammarNode {
  return additionalProperties === undefined
    ? compiler.any()
    : compiler.node(within(place, 'additionalProperties'));
}

/** The name of a property beyond `names`. */
function otherName(
  compiler: SchemaCompiler,
  place: Place,
  { propertyNames }: SchemaObject,
  names: readonly string[],
): GrammarNode {
  if (propertyNames === undefined || propertyNames === true) {
    return names.length === 0 ? stringText(compiler.rules) : otherString(compiler.rules, names, place.path);
  }
  const path = `${place.path}.propertyNames`;
  if (propertyNames === false) return choice();
  if (!isObject(propertyNames)) throw refused(path, 'a JSON schema', propertyNames);
  const strings: Place = { path, schema: { type: 'string', ...propertyNames } };
  if (names.length === 0) return compiler.node(strings);
  const others = listedNames(propertyNames)?.filter((name) => !names.includes(name));
  return others ? choice(...others.map(valueText)) : otherString(compiler.rules, names, place.path);
}

/** Of names that stand in the schema it can only be said whether they are listed: a grammar does not match. */
function checkNames(place: Place, { propertyNames }: SchemaObject, names: readonly string[]): void {
  if (!isObject(propertyNames) || names.length === 0) return;
  const { type = 'string', enum: _, ...others } = propertyNames;
  const listed = listedNames(propertyNames);
  const doFit = type === 'string' && Object.keys(others).length === 0;
  if (!doFit || !(listed === undefined || names.every((name) => listed.includes(name)))) {
    throw unsupported(place.path, 'propertyNames', 'a list that has all named properties in it, or no names');
  }
}

function listedNames({ enum: listed }: SchemaObject): readonly string[] | undefined {
  return Array.isArray(listed) ? listed.filter((name) => typeof name === 'string') : undefined;
}

function requiredNames({ required = [] }: SchemaObject, path: string): ReadonlySet<string> {
  if (Array.isArray(required) && required.every((name) => typeof name === 'string')) return new Set(required);
  throw refused(`${path}.required`, 'a list of names', required);
}

function declaredNames({ properties = {} }: SchemaObject, path: string): readonly string[] {
  if (isObject(properties)) return Object.keys(properties);
  throw refused(`${path}.properties`, 'an object of schemas', properties);
}
