import fc from 'fast-check';

/** The part of JSON Schema that the server's own document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Values that a schema describes, as far as its types and choices go; now and then one a little outside. */
export function valuesOf(schema: Schema, resolve: (ref: string) => Schema, depth = 0): fc.Arbitrary<unknown> {
  const inner = (one: Schema) => valuesOf(one, resolve, depth + 1);
  if (schema.$ref) return inner(resolve(schema.$ref));
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map(inner));
  if (schema.allOf) return fc.tuple(...schema.allOf.map(inner)).map((parts) => Object.assign({}, ...parts));
  const types = [schema.type ?? 'any'].flat();
  return fc.oneof(...types.map((type) => valuesOfType(type, schema, inner, depth)));
}

function valuesOfType(
  type: string,
  { properties = {}, required = [], items, minimum = -2, maximum = 3000 }: Schema,
  inner: (schema: Schema) => fc.Arbitrary<unknown>,
  depth: number,
): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: Math.floor(minimum) - 1, max: Math.ceil(maximum) + 1 });
    case 'number':
      return fc.double({ min: minimum - 0.5, max: maximum + 0.5, noNaN: true });
    case 'string':
      return fc.oneof(
        fc.constantFrom('', 'Hi', 'user', 'text', '{}'),
        fc.string({ maxLength: 20, unit: 'binary' }),
      );
    case 'array':
      return fc.array(items ? inner(items) : fc.jsonValue({ maxDepth: 1 }), { maxLength: 3 });
    case 'object': {
      if (depth > 5) return fc.constant({});
      const fields = Object.entries(properties).map(([name, field]) => [name, inner(field)] as const);
      return fc.record(Object.fromEntries(fields), { requiredKeys: [...required] });
    }
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}
