import { parse, tokenize } from '@huggingface/jinja';
import { fail } from './fail.js';
import type { Program } from './syntax-tree.js';

// The templates that the tests read have under 5,000 characters; this leaves room, and bounds the time to parse.
const LONGEST_SOURCE = 100_000;
// The package's lexer looks for {% generation %} with an expression that takes a blank run's length squared.
const MOST_BLANK_WORK = 1e7;

const BLOCKS = { lstrip_blocks: true, trim_blocks: true };

type Token = ReturnType<typeof tokenize>[number];

/** Reads a template. Throws TEMPLATE_FAILED with line and column where it is not one, or with the limit it breaks. */
export function parseTemplate(source: string): Program {
  if (source.length > LONGEST_SOURCE) {
    return fail(`the template is longer than ${LONGEST_SOURCE} characters`, 'source');
  }
  const blankWork = source.match(/\s+/g)?.reduce((work, run) => work + run.length ** 2, 0) ?? 0;
  if (blankWork > MOST_BLANK_WORK) return fail('the template has too long runs of blanks', 'source');
  let tokens: Token[];
  try {
    tokens = tokenize(source, BLOCKS);
  } catch (error) {
    const unreadable = tags(source).find((tag) => !canTokenize(tag.text));
    return fail(`${place(source, unreadable?.offset)}${message(error)}`, undefined, error);
  }
  const progress = { furthest: 0 };
  const tracked = tokens.map((token, index) => new TrackedToken(token, index, progress));
  try {
    return parse(tracked) as unknown as Program;
  } catch (error) {
    // The parser descends once for each bracket and block that stands open.
    if (error instanceof RangeError) return fail('the template nests too deeply', 'nesting', error);
    const opened = tokens.slice(0, progress.furthest + 1).filter((token) => opensTag(token)).length;
    return fail(`${place(source, tags(source)[opened - 1]?.offset)}${message(error)}`, undefined, error);
  }
}

/** A token that notes when the parser looks at it, since the package's errors do not say where they are. */
class TrackedToken implements Token {
  constructor(
    private readonly token: Token,
    private readonly index: number,
    private readonly progress: { furthest: number },
  ) {}

  get type(): Token['type'] {
    if (this.index > this.progress.furthest) this.progress.furthest = this.index;
    return this.token.type;
  }

  get value(): string {
    return this.token.value;
  }
}

function opensTag(token: Token): boolean {
  return token.type === 'OpenStatement' || token.type === 'OpenExpression' || token.type === 'Comment';
}

/** The tags of a template in order: statements, expressions and comments, with their offsets. */
function tags(source: string): { offset: number; text: string }[] {
  const found: { offset: number; text: string }[] = [];
  for (let at = source.search(/\{[{%#]/); at >= 0; ) {
    const end = tagEnd(source, at);
    found.push({ offset: at, text: source.slice(at, end) });
    const next = source.slice(end).search(/\{[{%#]/);
    at = next < 0 ? next : end + next;
  }
  return found;
}

/** The offset after the tag at `at`, the closing mark within a string not counted. */
function tagEnd(source: string, at: number): number {
  const close = { '{': '}}', '%': '%}', '#': '#}' }[source[at + 1]!]!;
  let quote: string | undefined;
  for (let i = at + 2; i < source.length; i++) {
    const unit = source[i]!;
    if (quote !== undefined) {
      if (unit === '\\') i++;
      else if (unit === quote) quote = undefined;
    } else if (source.startsWith(close, i)) return i + close.length;
    else if (close !== '#}' && (unit === '"' || unit === "'")) quote = unit;
  }
  return source.length;
}

function canTokenize(tag: string): boolean {
  try {
    tokenize(tag, BLOCKS);
    return true;
  } catch {
    return false;
  }
}

/** Where the tag in error starts, counted from 1. */
function place(source: string, offset = source.length): string {
  const before = source.slice(0, offset).split('\n');
  return `line ${before.length}, column ${before.at(-1)!.length + 1}: `;
}

function message(error: unknown): string {
  // Reading past the last token is a TypeError in the package.
  if (error instanceof TypeError) return 'the template ends within a tag or block';
  return error instanceof Error ? error.message : String(error);
}
