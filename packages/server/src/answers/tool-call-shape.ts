import { randomBytes } from 'node:crypto';
import type { ParsedToolCall } from '@pocketllm/runtime';

/** A call as chat completions have it, with an id of its own. */
export const toolCallShape = ({ name, arguments: args }: ParsedToolCall) => ({
  id: `call_${randomBytes(12).toString('hex')}`,
  type: 'function' as const,
  function: { name, arguments: args },
});
