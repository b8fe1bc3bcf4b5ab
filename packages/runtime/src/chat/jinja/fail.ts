import { PocketError } from '@pocketllm/abi';
import { displayText } from '../../gguf/display-text.js';

const LONGEST_REASON = 400;

/** Ends compiling or rendering. The reason may quote the template or a message, so it is made fit to be shown. */
export function fail(reason: string, limit?: string, cause?: unknown): never {
  const details = { reason: displayText(reason, LONGEST_REASON), ...(limit !== undefined && { limit }) };
  throw new PocketError('TEMPLATE_FAILED', details, cause === undefined ? undefined : { cause });
}
