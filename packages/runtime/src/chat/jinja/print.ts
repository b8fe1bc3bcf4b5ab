import type { Budget } from './budget.js';
import { fail } from './fail.js';
import { pythonFloat } from './numbers.js';
import { Text } from './text.js';
import { Dict, Float, List, typeName, type Value } from './values.js';

/** Collects text. Charges each piece, so the whole is bounded before it is put together. */
export class Output {
  private readonly pieces: Text[] = [];
  private length = 0;

  constructor(private readonly budget: Budget) {}

  add(text: Text): void {
    if (text.length === 0) return;
    this.length += text.length;
    this.budget.spend(1);
    this.budget.checkText(this.length);
    this.pieces.push(text);
  }

  text(): Text {
    this.budget.text(this.length);
    return Text.concat(this.pieces);
  }
}

/** A value as it is printed: Python's str(), with undefined as nothing. */
export function str(value: Value, budget: Budget): Text {
  if (value instanceof Text) return value;
  if (value === undefined) return Text.empty;
  if (value instanceof List || value instanceof Dict) {
    if (value instanceof Dict && value.source !== undefined) return value.source;
    const out = new Output(budget);
    dump(value, PYTHON, '', out, budget);
    return out.text();
  }
  return Text.trusted(scalar(value, PYTHON));
}

export interface JsonOptions {
  /** Spaces an inner level is moved in by; undefined = all on one line. */
  readonly indent?: number | undefined;
  readonly ensureAscii?: boolean | undefined;
  readonly separators?: readonly [Text, Text] | undefined;
  readonly sortKeys?: boolean | undefined;
}

/** A value as JSON, as Python's json.dumps writes it. Strings keep their marks; all around them is untrusted. */
export function toJson(value: Value, options: JsonOptions, budget: Budget): Text {
  const { indent, ensureAscii = false, sortKeys = false } = options;
  if (indent !== undefined) budget.checkText(indent);
  const [item, key] = options.separators ?? [
    Text.untrusted(indent === undefined ? ', ' : ','),
    Text.untrusted(': '),
  ];
  const escaped = ensureAscii ? asciiJson : (text: string) => JSON.stringify(text).slice(1, -1);
  const quote = Text.untrusted('"');
  const style: Style = {
    names: ['null', 'true', 'false', 'NaN', 'Infinity'],
    quoted: (text) => Text.concat([quote, text.mapRuns(escaped), quote]),
    item,
    key,
    ...(indent !== undefined && { indent: ' '.repeat(Math.max(0, indent)) }),
    sortKeys,
  };
  const out = new Output(budget);
  dump(value, style, '\n', out, budget);
  return out.text();
}

interface Style {
  /** How none, true, false, not-a-number and infinity are spelled. */
  readonly names: readonly [string, string, string, string, string];
  quoted(text: Text): Text;
  readonly item: Text;
  readonly key: Text;
  readonly indent?: string;
  readonly sortKeys: boolean;
}

const PYTHON: Style = {
  names: ['None', 'True', 'False', 'nan', 'inf'],
  quoted: pythonQuoted,
  item: Text.untrusted(', '),
  key: Text.untrusted(': '),
  sortKeys: false,
};

/** `newline` starts a line at the level of `value`; used with an indent only. */
function dump(value: Value, style: Style, newline: string, out: Output, budget: Budget): void {
  budget.enter();
  if (value instanceof Text) {
    budget.text(value.length);
    out.add(style.quoted(value));
  } else if (value instanceof List || value instanceof Dict) {
    dumpContainer(value, style, newline, out, budget);
  } else if (value === undefined) {
    fail('an undefined value cannot be dumped');
  } else {
    out.add(Text.untrusted(scalar(value, style)));
  }
  budget.leave();
}

function dumpContainer(value: List | Dict, style: Style, newline: string, out: Output, budget: Budget): void {
  const [open, close] = value instanceof List ? '[]' : '{}';
  const size = value instanceof List ? value.items.length : value.entries.size;
  if (size === 0) {
    out.add(Text.untrusted(`${open}${close}`));
    return;
  }
  const inner = style.indent === undefined ? '' : newline + style.indent;
  budget.text(inner.length);
  const line = Text.untrusted(inner);
  out.add(Text.untrusted(`${open}`));
  let first = true;
  const startItem = (): void => {
    if (!first) out.add(style.item);
    out.add(line);
    first = false;
  };
  if (value instanceof List) {
    for (const item of value.items) {
      startItem();
      dump(item, style, inner, out, budget);
    }
  } else {
    const entries = [...value.entries.values()];
    if (style.sortKeys) entries.sort((a, b) => compareStrings(a.key.value, b.key.value));
    for (const entry of entries) {
      startItem();
      budget.text(entry.key.length);
      out.add(style.quoted(entry.key));
      out.add(style.key);
      dump(entry.value, style, inner, out, budget);
    }
  }
  out.add(Text.untrusted(style.indent === undefined ? `${close}` : newline + close));
}

function scalar(value: Value, style: Style): string {
  const [none, yes, no, notANumber, infinity] = style.names;
  if (value === null) return none;
  if (typeof value === 'boolean') return value ? yes : no;
  if (typeof value === 'number') return String(value);
  if (!(value instanceof Float)) return fail(`${typeName(value)} cannot be printed`);
  if (Number.isNaN(value.value)) return notANumber;
  if (!Number.isFinite(value.value)) return value.value < 0 ? `-${infinity}` : infinity;
  return pythonFloat(value.value);
}

function pythonQuoted(text: Text): Text {
  const quote = text.value.includes("'") && !text.value.includes('"') ? '"' : "'";
  const mark = Text.untrusted(quote);
  const escaped = text.mapRuns((run) =>
    run.replace(/[\\'\p{Cc}]/gu, (unit) => {
      if (unit === "'") return quote === "'" ? "\\'" : unit;
      return pythonEscapes[unit] ?? `\\x${unit.charCodeAt(0).toString(16).padStart(2, '0')}`;
    }),
  );
  return Text.concat([mark, escaped, mark]);
}

const pythonEscapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function asciiJson(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/[\x7f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Order by code units: what sort, dictsort and sorted keys use. */
export function compareStrings(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
