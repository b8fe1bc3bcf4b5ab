import { endOfObject, escapeControls, parseObject, skipBlanks } from './json-text.js';
import type { ToolDefinition } from './messages.js';

export interface ParsedToolCall {
  readonly name: string;
  /** A JSON object, as text: what the model wrote, made valid where it left line ends in strings. */
  readonly arguments: string;
}

/** A call that was read, and the offset after it. */
export interface CallBlock {
  readonly call: ParsedToolCall;
  readonly end: number;
}

const OPEN = /<function=([^<>\s]+)>/y;
const CLOSE = '</function>';
const PARAMETER = /<parameter=([^<>\n]+)>/y;
const PARAMETER_CLOSE = '</parameter>';

/**
 * Reads `<function=NAME>` with its parameters, each raw text between tags of its own, or with a JSON object.
 * A parameter becomes what the tool's schema asks for, or stays text. The closing tag may be missing where
 * `</tool_call>` follows.
 */
export function readFunctionBlock(
  text: string,
  at: number,
  known: ReadonlyMap<string, ToolDefinition> | undefined,
): CallBlock | undefined {
  const opened = matchAt(OPEN, text, at);
  if (opened === undefined) return undefined;
  const name = opened[1]!;
  const body = skipBlanks(text, at + opened[0].length);
  const read =
    text[body] === '{'
      ? objectBody(text, body)
      : parameters(text, body, known?.get(name)?.function.parameters?.properties);
  if (read === undefined) return undefined;
  const end = skipBlanks(text, read.end);
  const call = { name, arguments: read.json };
  if (text.startsWith(CLOSE, end)) return { call, end: end + CLOSE.length };
  return text.startsWith('</tool_call>', end) ? { call, end } : undefined;
}

interface Body {
  readonly json: string;
  readonly end: number;
}

function objectBody(text: string, start: number): Body | undefined {
  const end = endOfObject(text, start);
  const json = end < 0 ? '' : escapeControls(text.slice(start, end));
  return parseObject(json) && { json, end };
}

function parameters(text: string, start: number, properties: unknown): Body | undefined {
  const schemas = new Map(Object.entries(properties ?? {}));
  const written = new Map<string, string>();
  let at = start;
  for (;;) {
    const opened = matchAt(PARAMETER, text, at);
    if (opened === undefined) break;
    const valueStart = at + opened[0].length;
    const valueEnd = text.indexOf(PARAMETER_CLOSE, valueStart);
    if (valueEnd < 0) return undefined;
    const value = text.slice(valueStart, valueEnd).replace(/^\n|\n$/g, '');
    written.set(opened[1]!, typedJson(value, schemas.get(opened[1]!)));
    at = skipBlanks(text, valueEnd + PARAMETER_CLOSE.length);
  }
  const json = Array.from(written, ([key, value]) => `${JSON.stringify(key)}: ${value}`);
  return { json: `{${json.join(', ')}}`, end: at };
}

// Templates that print values as Python does teach models its spelling.
const pythonNames: ReadonlyMap<string, string> = new Map([
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
]);

/** The JSON that a raw value stands for: of a type that the schema allows, else the text as a string. */
function typedJson(value: string, schema: unknown): string {
  const types = schemaTypes(schema);
  const written = value.trim();
  const json = pythonNames.get(written) ?? written;
  const type = jsonType(json);
  const isAllowed = type !== undefined && (types.has(type) || (type === 'number' && types.has('integer')));
  return type !== 'string' && isAllowed ? json : JSON.stringify(value);
}

/** The types that a JSON schema names for a value, its alternatives included. */
function schemaTypes(schema: unknown): ReadonlySet<unknown> {
  if (typeof schema !== 'object' || schema === null) return new Set();
  const { type, anyOf, oneOf } = schema as Record<string, unknown>;
  const alternatives = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const named = alternatives.map((alternative) => (alternative as { type?: unknown } | null)?.type);
  return new Set([type, ...named].flat());
}

function jsonType(json: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** What a sticky expression matches at `at`. */
function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | undefined {
  expression.lastIndex = at;
  return expression.exec(text) ?? undefined;
}
