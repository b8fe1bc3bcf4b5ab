import { fail } from './fail.js';
import { Float } from './values.js';

/** Checks an integer. Beyond 2^53 the language has exact integers and this engine has none. */
export function integer(value: number): number {
  return Number.isSafeInteger(value) ? value : fail('an integer beyond 2^53');
}

/** A number from outside: an integer where it is one exactly, else a float. */
export function numberValue(value: number): number | Float {
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? value : new Float(value);
}

/** The number that a text spells, whole or with a fraction; undefined where it spells none. */
export function parseNumber(text: string): number | Float | undefined {
  const digits = text.trim();
  if (/^[+-]?\d+$/.test(digits)) return integer(Number(digits));
  if (/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(digits)) return new Float(Number(digits));
  return undefined;
}

/** The shortest digits that read back as `value`, laid out as Python does: exponents from 1e16 and below 1e-4. */
export function pythonFloat(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e16 || size < 1e-4)) {
    return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
  }
  const digits = Object.is(value, -0) ? '-0' : String(value);
  return Number.isInteger(value) ? `${digits}.0` : digits;
}
