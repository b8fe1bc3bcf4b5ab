import { refused } from '../grammar/grammar.js';

const deepest = 64;
const mostValues = 20_000;
const mostCharacters = 256 * 1024;

/** REQUEST_INVALID for a schema that is too large to be looked at, or is no JSON. */
export function checkSchemaSize(schema: unknown, path: string): void {
  let values = 0;
  let characters = 0;
  const visit = (value: unknown, depth: number): void => {
    if (depth > deepest) throw refused(path, `at most ${deepest} levels`, 'more');
    if (++values > mostValues) throw refused(path, `at most ${mostValues} values`, 'more');
    if (typeof value === 'string') characters += value.length;
    else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        characters += key.length;
        visit(member, depth + 1);
      }
    } else if (typeof value === 'number' ? !Number.isFinite(value) : !plainTypes.has(typeof value)) {
      throw refused(path, 'values of JSON', typeof value);
    }
    if (characters > mostCharacters) throw refused(path, `at most ${mostCharacters} characters`, 'more');
  };
  visit(schema, 0);
}

/** A keyword of undefined counts as absent. */
const plainTypes = new Set(['boolean', 'undefined', 'object']);
