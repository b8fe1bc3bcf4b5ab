import type { GenerationResult } from '@pocketllm/runtime';
import { ApiError } from '../errors/api-error.js';

/**
 * Why an answer ended, in OpenAI's words. An answer is cancelled only where nobody is left to read it or the
 * server is told to end at once: that is a 503.
 */
export function finishReason({
  finishReason: reason,
  calls = [],
}: GenerationResult): 'stop' | 'length' | 'tool_calls' {
  if (reason === 'cancelled') {
    const headers = { 'retry-after': '5' };
    throw new ApiError('The server ended the answer.', { status: 503, code: 'cancelled', headers });
  }
  if (reason === 'timeout') return 'length';
  return reason === 'stop' && calls.length > 0 ? 'tool_calls' : reason;
}
