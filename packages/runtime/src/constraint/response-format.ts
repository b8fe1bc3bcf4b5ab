import { choice, type GrammarNode, refused, text } from './grammar/grammar.js';
import { parseGrammar } from './grammar/parse-grammar.js';
import { wholeRegex } from './grammar/parse-regex.js';
import type { Rules } from './grammar/rules.js';
import { schemaNode } from './schema/schema-grammar.js';

/** What an answer is held to, its reasoning apart. JSON is written on one line. */
export type ResponseFormat =
  | { readonly type: 'text' }
  /** An object of JSON, any. */
  | { readonly type: 'json_object' }
  /**
   * A value that the schema allows: draft 2020-12 without what a grammar cannot hold to, which is refused by name.
   * Properties come in the order of the schema, and those that it does not name only where `additionalProperties`
   * asks for them.
   */
  | { readonly type: 'json_schema'; readonly schema: unknown }
  /** What the rule `root` of a grammar allows, in the notation of llama.cpp (GBNF). */
  | { readonly type: 'grammar'; readonly grammar: string }
  /** A regular expression of ECMAScript that matches the whole answer. */
  | { readonly type: 'regex'; readonly pattern: string }
  /** One of these texts. */
  | { readonly type: 'choice'; readonly choices: readonly string[] };

const mostCharacters = 256 * 1024;

/** The answers of a format; undefined where it is any text. REQUEST_INVALID for what cannot be held to. */
export function formatNode(format: ResponseFormat, rules: Rules): GrammarNode | undefined {
  switch (format.type) {
    case 'text':
      return undefined;
    case 'json_object':
      return schemaNode({ type: 'object' }, 'responseFormat', rules);
    case 'json_schema':
      return schemaNode(format.schema, 'responseFormat.schema', rules);
    case 'grammar': {
      const field = 'responseFormat.grammar';
      const grammar = parseGrammar(sourceOf(format.grammar, field), field);
      for (const [name, node] of grammar.rules) rules.get(name, () => node);
      return grammar.root;
    }
    case 'regex':
      return wholeRegex(sourceOf(format.pattern, 'responseFormat.pattern'), 'responseFormat.pattern');
    case 'choice':
      return choiceOf(format.choices);
    default:
      throw refused(
        'responseFormat.type',
        'text, json_object, json_schema, grammar, regex, choice',
        (format as { type?: unknown }).type,
      );
  }
}

function sourceOf(source: unknown, field: string): string {
  if (typeof source !== 'string') throw refused(field, 'a text', source);
  if (source.length <= mostCharacters) return source;
  throw refused(field, `at most ${mostCharacters} characters`, String(source.length));
}

function choiceOf(choices: unknown): GrammarNode {
  const field = 'responseFormat.choices';
  if (!Array.isArray(choices) || choices.length === 0) throw refused(field, 'a list of texts', choices);
  return choice(...choices.map((one, index) => text(sourceOf(one, `${field}[${index}]`))));
}
