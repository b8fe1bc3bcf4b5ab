import { choice, type GrammarNode, nothing, optional, refused, sequence, text } from '../grammar/grammar.js';
import { comma, listOf } from './json-text.js';
import type { SchemaCompiler } from './schema-grammar.js';
import { countOf, type Place, type SchemaObject, unsupported, within } from './schema-reader.js';

export function arrayText(compiler: SchemaCompiler, place: Place, schema: SchemaObject): GrammarNode {
  const { path } = place;
  const counted: Place = { schema, path };
  const least = countOf(counted, 'minItems', 0);
  const most = countOf(counted, 'maxItems', Number.POSITIVE_INFINITY);
  if (schema.uniqueItems !== undefined && schema.uniqueItems !== false && most > 1)
    throw unsupported(path, 'uniqueItems');
  if (Array.isArray(schema.items))
    throw refused(`${path}.items`, 'one schema; lists of them are prefixItems', 'a list');
  const first = firstItems(compiler, place, schema);
  const rest =
    schema.items !== undefined
      ? compiler.node(within(place, 'items'))
      : // Those beyond prefixItems are not asked for, unless there have to be more.
        first.length > 0 && least <= first.length
        ? choice()
        : compiler.any();
  return sequence(text('['), items(first, rest, least, most, nothing), text(']'));
}

function firstItems(compiler: SchemaCompiler, place: Place, schema: SchemaObject): readonly GrammarNode[] {
  const { prefixItems } = schema;
  if (prefixItems === undefined) return [];
  if (!Array.isArray(prefixItems))
    throw refused(`${place.path}.prefixItems`, 'a list of schemas', prefixItems);
  return prefixItems.map((_, index) => compiler.node(within(place, 'prefixItems', String(index))));
}

/** `before` stands in front of the first item. */
function items(
  [next, ...others]: readonly GrammarNode[],
  rest: GrammarNode,
  least: number,
  most: number,
  before: GrammarNode,
): GrammarNode {
  if (most < least) return choice();
  if (next === undefined) {
    const list = listOf(rest, Math.max(least, 1), most);
    const some = most === 0 ? choice() : sequence(before, list);
    return least > 0 ? some : optional(some);
  }
  if (most === 0) return nothing;
  const more = items(others, rest, Math.max(least - 1, 0), most - 1, comma);
  const some = sequence(before, next, more);
  return least > 0 ? some : optional(some);
}
