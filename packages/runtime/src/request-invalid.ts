import { PocketError } from '@pocketllm/abi';

/** A value of a request is at fault: REQUEST_INVALID. */
export const requestInvalid = (field: string, expected: string, found: string) =>
  new PocketError('REQUEST_INVALID', { field, expected, found });
