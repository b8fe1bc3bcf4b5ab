import type { GenerationResult, Model } from '@pocketllm/runtime';
import type { AnswerEvent } from '../engine/service.js';
import type { AnswerHead } from './answer-head.js';
import { finishReason } from './finish-reason.js';
import { chatLogprobs } from './logprob-shapes.js';
import { toolCallShape } from './tool-call-shape.js';
import { usageOf } from './usage.js';

/** The whole answer to a chat, as one object. */
export async function chatCompletion(
  head: AnswerHead,
  events: AsyncIterable<AnswerEvent>,
  { tokenizer }: Pick<Model, 'tokenizer'>,
) {
  const results: GenerationResult[] = [];
  for await (const event of events) {
    if ('result' in event) results[event.index] = event.result;
  }
  return {
    id: head.id,
    object: 'chat.completion',
    created: head.created,
    model: head.model,
    choices: results.map((result, index) => ({
      index,
      message: message(result),
      logprobs: result.logprobs ? chatLogprobs(tokenizer, result.logprobs) : null,
      finish_reason: finishReason(result),
    })),
    usage: usageOf(results, results.length),
  };
}

function message({ text, reasoning, calls = [] }: GenerationResult) {
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(toolCallShape) }),
    refusal: null,
  };
}
