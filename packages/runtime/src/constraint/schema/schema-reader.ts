import { refused } from '../grammar/grammar.js';

export type SchemaObject = Readonly<Record<string, unknown>>;

/** A place in a schema, and how to name it: `response_format.json_schema.schema.properties.age`. */
export interface Place {
  readonly schema: unknown;
  readonly path: string;
}

/** Say something of a schema and hold nothing to it. */
const notes = [
  'title',
  'description',
  'default',
  'examples',
  '$comment',
  'deprecated',
  'readOnly',
  'writeOnly',
];
/** Hold what is referred to. */
const stores = ['$defs', 'definitions'];

export function isObject(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The schema at a place, which may also be true or false. */
export function schemaAt({ schema, path }: Place): SchemaObject | boolean {
  if (typeof schema === 'boolean' || isObject(schema)) return schema;
  throw refused(path, 'a JSON schema', schema);
}

/** The keywords of a schema that hold an answer to something. */
export function keywordsOf(schema: SchemaObject, isRoot: boolean): readonly string[] {
  const quiet = new Set([...notes, ...stores, ...(isRoot ? ['$schema', '$id'] : [])]);
  return Object.keys(schema).filter((keyword) => !quiet.has(keyword) && schema[keyword] !== undefined);
}

/** The place within another. */
export const within = ({ schema, path }: Place, ...steps: readonly string[]): Place => ({
  schema: steps.reduce((value, step) => (value as SchemaObject)[step], schema),
  path: `${path}.${steps.join('.')}`,
});

/** REQUEST_INVALID for a keyword that answers cannot be held to. */
export function unsupported(path: string, keyword: string, instead = 'no such keyword'): Error {
  return refused(`${path}.${keyword}`, instead, keyword);
}

/** A count of a keyword, or what counts where it is absent. */
export function countOf({ schema, path }: Place, keyword: string, otherwise: number): number {
  const value = (schema as SchemaObject)[keyword];
  if (value === undefined) return otherwise;
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw refused(`${path}.${keyword}`, 'a whole number of at least 0', value);
}

/** What a reference to a place in the same document leads to: `#/$defs/name`. */
export function resolve(root: Place, reference: unknown, path: string): Place {
  const pointer = typeof reference === 'string' ? /^#((?:\/.*)?)$/s.exec(reference)?.[1] : undefined;
  if (pointer === undefined)
    throw refused(`${path}.$ref`, 'a reference within the schema, such as "#/$defs/name"', reference);
  let place = root;
  for (const step of pointer.split('/').slice(1)) {
    const name = unescaped(step);
    const { schema } = place;
    const isThere =
      name !== undefined && typeof schema === 'object' && schema !== null && Object.hasOwn(schema, name);
    if (!isThere) throw refused(`${path}.$ref`, 'a reference to something that is there', reference);
    place = within(place, name);
  }
  return place;
}

function unescaped(step: string): string | undefined {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return undefined;
  }
}
