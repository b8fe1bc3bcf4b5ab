import { type ErrorCode, isPocketError, type PocketError } from '@pocketllm/abi';
import { ApiError, badRequest } from './api-error.js';

/** Fields of the runtime's requests that go by another name over HTTP. */
const paramOf: Readonly<Record<string, string>> = {
  maxTokens: 'max_tokens',
  topK: 'top_k',
  topP: 'top_p',
  minP: 'min_p',
  repeatPenalty: 'repetition_penalty',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  logitBias: 'logit_bias',
  toolChoice: 'tool_choice',
  timeoutMs: 'timeout_ms',
  thinkingBudget: 'thinking_budget',
  'token id': 'tokens',
};

const unavailable = new Set<ErrorCode>(['CLOSED', 'DEVICE_LOST', 'OUT_OF_MEMORY', 'CANCELLED']);

/**
 * What a client is told of a failure; details of faults that are not the client's stay in the log. `promptField`
 * is what the request calls its prompt.
 */
export function toApiError(error: unknown, promptField = 'messages'): ApiError {
  if (error instanceof ApiError) return error;
  if (!isPocketError(error)) return internal();
  if (isPocketError(error, 'CONTEXT_OVERFLOW')) {
    const { promptTokens, maxModelLen } = error.details;
    const message = `This model's context holds ${maxModelLen} tokens, and the prompt has ${promptTokens}: shorten it.`;
    return badRequest(message, 'context_length_exceeded', promptField);
  }
  if (isPocketError(error, 'REQUEST_INVALID')) {
    const { field, expected, found } = error.details;
    const [, name = field, place = ''] = /^([A-Za-z ]+)(.*)$/s.exec(field) ?? [];
    const param = (paramOf[name] ?? name) + place;
    return badRequest(`${param}: expected ${expected}, found ${found}.`, 'invalid_value', param);
  }
  if (isPocketError(error, 'TEMPLATE_FAILED')) return templateFailed(error, promptField);
  if (isPocketError(error, 'QUEUE_FULL')) {
    const message = `The server is busy: ${error.details.underWay} answers are under way. Try again later.`;
    return new ApiError(message, { status: 429, code: 'queue_full', headers: { 'retry-after': '1' } });
  }
  if (unavailable.has(error.code)) {
    const message = 'The model cannot answer at the moment.';
    return new ApiError(message, {
      status: 503,
      code: error.code.toLowerCase(),
      headers: { 'retry-after': '5' },
    });
  }
  return internal();
}

function templateFailed(error: PocketError<'TEMPLATE_FAILED'>, promptField: string): ApiError {
  const message = `The chat template of the model cannot render these messages: ${error.details.reason}.`;
  return badRequest(message, 'template_failed', promptField);
}

const internal = () =>
  new ApiError('The server failed to answer; its log says why.', { status: 500, code: 'internal_error' });
