import { PocketError } from '@pocketllm/abi';

// What stands in these details must have gone through displayText where it is text of the file.

/** The file breaks the format at `offset`, where one place is at fault. */
export function malformed(field: string, expected: string, found: string, offset?: number) {
  return new PocketError('MODEL_MALFORMED', { field, expected, found, ...at(offset) });
}

/** The file may be sound, but this version does not read it. */
export function unsupported(what: string, found: string, supported: string, offset?: number) {
  return new PocketError('MODEL_UNSUPPORTED', { what, found, supported, ...at(offset) });
}

function at(offset: number | undefined) {
  return offset === undefined ? {} : { offset };
}
