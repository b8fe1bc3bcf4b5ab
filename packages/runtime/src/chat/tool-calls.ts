import { endOfObject, escapeControls, members, parseObject, skipBlanks } from './json-text.js';
import type { ToolDefinition } from './messages.js';
import { type CallBlock, type ParsedToolCall, readFunctionBlock } from './xml-tool-calls.js';

export interface ParsedAnswer {
  /** What is no tool call. */
  readonly text: string;
  readonly calls: readonly ParsedToolCall[];
}

export const OPEN = '<tool_call>';
export const CLOSE = '</tool_call>';
export const callTags = [OPEN, CLOSE] as const;
export const FUNCTION = '<function=';
// A broken block may be read to the end of the text; many of them make the time grow with its square.
export const MOST_BROKEN_BLOCKS = 50;

/**
 * Finds the tool calls in a finished answer: Hermes blocks with JSON or XML between `<tool_call>` tags.
 *
 * The last block may lack its closing tag as long as the call in it is complete. A block that is no valid
 * call, or calls a function that is not among `tools` (where those are given), stays text. With `tools`, two
 * looser forms are read too: a function block without the tags, and an answer that is nothing but the object.
 */
export function parseToolCalls(text: string, tools?: readonly ToolDefinition[]): ParsedAnswer {
  const known = tools && new Map(tools.map((tool) => [tool.function.name, tool]));
  const calls: ParsedToolCall[] = [];
  const around: string[] = [];
  let rest = 0;
  let broken = 0;
  let at = nextBlock(text, 0, known !== undefined);
  while (at >= 0 && broken < MOST_BROKEN_BLOCKS) {
    const block = readBlock(text, at, known);
    const isKnown = block !== undefined && (known?.has(block.call.name) ?? true);
    if (isKnown) {
      around.push(text.slice(rest, at));
      calls.push(block.call);
      rest = block.end;
    } else broken++;
    at = nextBlock(text, isKnown ? block.end : at + 1, known !== undefined);
  }
  if (calls.length === 0) return bareCall(text, known) ?? { text, calls };
  around.push(text.slice(rest));
  return { text: joined(around), calls };
}

/** Where the next block may begin; -1 where there is none. */
export function nextBlock(text: string, from: number, bareFunctions: boolean): number {
  const tag = text.indexOf(OPEN, from);
  const bare = bareFunctions ? text.indexOf(FUNCTION, from) : -1;
  return tag < 0 || (bare >= 0 && bare < tag) ? bare : tag;
}

/** Reads the block at `at` of a text that has ended. */
export function readBlock(
  text: string,
  at: number,
  known: ReadonlyMap<string, ToolDefinition> | undefined,
): CallBlock | undefined {
  if (text.startsWith(FUNCTION, at)) return readFunctionBlock(text, at, known);
  const inner = skipBlanks(text, at + OPEN.length);
  const block = text.startsWith(FUNCTION, inner)
    ? readFunctionBlock(text, inner, known)
    : readObject(text, inner);
  if (block === undefined) return undefined;
  const end = skipBlanks(text, block.end);
  if (text.startsWith(CLOSE, end)) return { call: block.call, end: end + CLOSE.length };
  return end === text.length || text.startsWith(OPEN, end) ? block : undefined;
}

function readObject(text: string, start: number): CallBlock | undefined {
  if (text[start] !== '{') return undefined;
  const end = endOfObject(text, start);
  const call = end < 0 ? undefined : readCall(text.slice(start, end));
  return call && { call, end };
}

/** An answer that is one object with the name of a tool and its arguments. */
function bareCall(
  text: string,
  known: ReadonlyMap<string, ToolDefinition> | undefined,
): ParsedAnswer | undefined {
  const block = known && readObject(text, skipBlanks(text, 0));
  if (block === undefined || skipBlanks(text, block.end) < text.length) return undefined;
  return known?.has(block.call.name) ? { text: '', calls: [block.call] } : undefined;
}

/** The call that an object stands for. */
export function readCall(object: string): ParsedToolCall | undefined {
  const json = escapeControls(object);
  const { name } = parseObject(json) ?? {};
  if (typeof name !== 'string' || name === '') return undefined;
  const given = members(json);
  // Weak models write the schema's word.
  const written = given.get('arguments') ?? given.get('parameters') ?? '{}';
  // Some write the arguments as OpenAI's API does, an object in a string.
  const args = written.startsWith('"') ? (JSON.parse(written) as string) : written;
  return parseObject(args) && { name, arguments: args };
}

function joined(around: readonly string[]): string {
  const last = around.length - 1;
  return around
    .map((piece, i) => (i === 0 ? piece.trimEnd() : i === last ? piece.trimStart() : piece.trim()))
    .filter((piece) => piece !== '')
    .join('\n');
}
