import type { PocketError } from '@pocketllm/abi';
import { requestInvalid } from '../../request-invalid.js';
import { numberValue } from './numbers.js';
import { Text } from './text.js';
import { Dict, dictOf, List, type Value } from './values.js';

const DEEPEST_INPUT = 100;
// More than any context holds. An object that holds itself twice would have 2^100.
const MOST_VALUES = 1_000_000;

/**
 * Makes values of the template language from what a caller gives, all of its text untrusted, and counts them:
 * the limits of a render grow with its input.
 */
export class Input {
  values = 0;
  units = 0;

  /** A value of JSON. `field` names it in errors. Throws REQUEST_INVALID for anything else. */
  value(given: unknown, field: string, depth = 0): Value {
    if (depth > DEEPEST_INPUT) throw invalid(field, `at most ${DEEPEST_INPUT} levels`, 'more');
    if (++this.values > MOST_VALUES) throw invalid(field, `at most ${MOST_VALUES} values`, 'more');
    if (given === null || given === undefined || typeof given === 'boolean') return given;
    if (typeof given === 'number') return numberValue(given);
    if (typeof given === 'string') return this.text(given);
    if (Array.isArray(given)) {
      return new List(given.map((item, i) => this.value(item, `${field}[${i}]`, depth + 1)));
    }
    if (typeof given !== 'object') throw invalid(field, 'a value of JSON', typeof given);
    return dictOf(
      Object.entries(given)
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => [this.text(key), this.value(value, `${field}.${key}`, depth + 1)]),
    );
  }

  text(given: string): Text {
    this.units += given.length;
    return Text.untrusted(given);
  }

  /** A mapping written as JSON, which is its text too; just the text where it is not one. */
  json(given: string, field: string): Value {
    const source = this.text(given);
    let parsed: unknown;
    try {
      parsed = JSON.parse(given);
    } catch {
      return source;
    }
    const value = this.value(parsed, field);
    return value instanceof Dict ? new Dict(value.entries, source) : source;
  }
}

function invalid(field: string, expected: string, found: string): PocketError {
  return requestInvalid(field.slice(0, 200), expected, found);
}
