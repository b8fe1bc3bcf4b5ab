import type { GenerationResult, Model } from '@pocketllm/runtime';
import type { AnswerEvent } from '../engine/service.js';
import type { CompletionRequest } from '../schema/completion-request.js';
import type { AnswerHead } from './answer-head.js';
import { echoes } from './completion-answers.js';
import { finishReason } from './finish-reason.js';
import { completionLogprobs } from './logprob-shapes.js';
import { usageOf } from './usage.js';

const shapeOf = ({ id, created, model }: AnswerHead) => ({ id, object: 'text_completion', created, model });

/** The whole answer to a completion, as one object. */
export async function textCompletion(
  head: AnswerHead,
  events: AsyncIterable<AnswerEvent>,
  model: Model,
  request: CompletionRequest,
) {
  const results: GenerationResult[] = [];
  for await (const event of events) {
    if ('result' in event) results[event.index] = event.result;
  }
  const before = echoes(model, request);
  return {
    ...shapeOf(head),
    choices: results.map((result, index) => ({
      index,
      text: before[index] + result.text,
      logprobs: result.logprobs ? completionLogprobs(model.tokenizer, result.logprobs, 0) : null,
      finish_reason: finishReason(result),
    })),
    usage: usageOf(results, request.n ?? 1),
  };
}

/** The answer to a completion in pieces, each an object of its own. */
export async function* textChunks(
  head: AnswerHead,
  events: AsyncIterable<AnswerEvent>,
  model: Model,
  request: CompletionRequest,
): AsyncGenerator<object, void> {
  const includeUsage = request.stream_options?.include_usage ?? false;
  const chunk = (choices: readonly object[], usage: object | null = null) => ({
    ...shapeOf(head),
    choices,
    ...(includeUsage ? { usage } : {}),
  });
  const choice = (index: number, text: string, more: object = {}) => ({
    index,
    text,
    logprobs: null,
    finish_reason: null,
    ...more,
  });
  const results: GenerationResult[] = [];
  const lengths = new Map<number, number>();
  for (const [index, text] of echoes(model, request).entries()) {
    if (text !== '') yield chunk([choice(index, text)]);
  }
  for await (const event of events) {
    const { index } = event;
    if ('result' in event) {
      results[index] = event.result;
      yield chunk([choice(index, '', { finish_reason: finishReason(event.result) })]);
      continue;
    }
    const { text, logprobs } = event.piece;
    const offset = lengths.get(index) ?? 0;
    const scores = logprobs?.length ? completionLogprobs(model.tokenizer, logprobs, offset) : null;
    if (scores) lengths.set(index, offset + scores.tokens.join('').length);
    yield chunk([choice(index, text, { logprobs: scores })]);
  }
  if (includeUsage) yield chunk([], usageOf(results, request.n ?? 1));
}
