import { choice, type GrammarNode, refused } from '../grammar/grammar.js';
import type { SchemaCompiler, TypeName } from './schema-grammar.js';
import { isObject, type Place, resolve, type SchemaObject, unsupported, within } from './schema-reader.js';

/**
 * The values of `anyOf`, of `oneOf` whose alternatives cannot both hold, or of `allOf` with one schema. `types` stand
 * beside it.
 */
export function alternatives(
  compiler: SchemaCompiler,
  place: Place,
  keyword: 'anyOf' | 'oneOf' | 'allOf',
  types: readonly TypeName[] | undefined,
): GrammarNode {
  const { path } = place;
  const listed = (place.schema as SchemaObject)[keyword];
  if (!Array.isArray(listed) || listed.length === 0) {
    throw refused(`${path}.${keyword}`, 'a list of schemas', listed);
  }
  if (keyword === 'allOf' && listed.length > 1) throw unsupported(path, 'allOf', 'one schema at most');
  const places = listed.map((_, index) => narrowed(within(place, keyword, String(index)), types));
  if (keyword === 'oneOf') checkDisjoint(compiler, places, path);
  return choice(...places.map((alternative) => compiler.node(alternative)));
}

/** The place, held to the types too. */
function narrowed(place: Place, types: readonly TypeName[] | undefined): Place {
  const { schema, path } = place;
  if (types === undefined || !isObject(schema)) return place;
  if (schema.type === undefined) return { path, schema: { ...schema, type: types } };
  const own: unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type];
  const areWithin = own.every(
    (type) => types.some((allowed) => allowed === type) || (type === 'integer' && types.includes('number')),
  );
  if (areWithin) return place;
  throw refused(
    `${path}.type`,
    `types out of ${types.join(', ')}, which stand beside the alternatives`,
    schema.type,
  );
}

/** A value that two alternatives allow would be refused by the schema. */
function checkDisjoint(compiler: SchemaCompiler, places: readonly Place[], path: string): void {
  const schemas = places.map((place) => target(compiler, place));
  for (const [index, schema] of schemas.entries()) {
    const other = schemas.slice(0, index).find((before) => !areDisjoint(compiler, before, schema));
    if (other === undefined) continue;
    const wanted = 'alternatives that differ in type, or in a constant of a required property; or anyOf';
    throw unsupported(path, 'oneOf', wanted);
  }
}

function areDisjoint(compiler: SchemaCompiler, one: Place, other: Place): boolean {
  if (!isObject(one.schema) || !isObject(other.schema)) return one.schema === false || other.schema === false;
  const values = [constants(one.schema), constants(other.schema)] as const;
  if (values[0] && values[1]) return !values[0].some((value) => values[1]!.includes(value));
  const types = [ownTypes(one.schema), ownTypes(other.schema)] as const;
  if (types[0] && types[1] && !types[0].some((type) => types[1]!.includes(type))) return true;
  const [required, otherRequired] = [one.schema.required, other.schema.required];
  if (!Array.isArray(required) || !Array.isArray(otherRequired)) return false;
  // Both are objects then, of which only one can have this property so.
  const areObjects = types.every((list) => list?.length === 1 && list[0] === 'object');
  return (
    areObjects &&
    required.some((name) => {
      if (!otherRequired.includes(name)) return false;
      const [mine, theirs] = [property(compiler, one, name), property(compiler, other, name)];
      return mine !== undefined && theirs !== undefined && areDisjoint(compiler, mine, theirs);
    })
  );
}

/** Values that are all there are, as JSON. */
function constants(schema: SchemaObject): readonly string[] | undefined {
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  return Array.isArray(schema.enum) ? schema.enum.map((value) => JSON.stringify(value)) : undefined;
}

/** Types, integers counted as numbers. */
function ownTypes({ type }: SchemaObject): readonly unknown[] | undefined {
  if (type === undefined) return undefined;
  return [type].flat().map((name) => (name === 'integer' ? 'number' : name));
}

function property(compiler: SchemaCompiler, place: Place, name: string): Place | undefined {
  const { properties } = place.schema as SchemaObject;
  if (!isObject(properties) || !Object.hasOwn(properties, name)) return undefined;
  return target(compiler, within(place, 'properties', name));
}

/** Where references lead, as far as they do not run in a circle. */
function target(compiler: SchemaCompiler, place: Place): Place {
  let found = place;
  for (let steps = 0; steps < 32 && isObject(found.schema) && found.schema.$ref !== undefined; steps++) {
    found = resolve(compiler.root, found.schema.$ref, found.path);
  }
  return found;
}
