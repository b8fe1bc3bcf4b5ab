import type { GenerationPiece, GenerationResult, Model } from '@pocketllm/runtime';
import type { AnswerEvent } from '../engine/service.js';
import type { AnswerHead } from './answer-head.js';
import { finishReason } from './finish-reason.js';
import { chatLogprobs } from './logprob-shapes.js';
import { toolCallShape } from './tool-call-shape.js';
import { usageOf } from './usage.js';

export interface ChunkOptions {
  readonly count: number;
  readonly includeUsage: boolean;
}

/** The answer to a chat in pieces, each an object of its own. */
export async function* chatChunks(
  head: AnswerHead,
  events: AsyncIterable<AnswerEvent>,
  { tokenizer }: Pick<Model, 'tokenizer'>,
  { count, includeUsage }: ChunkOptions,
): AsyncGenerator<object, void> {
  const chunk = (choices: readonly object[], usage: object | null = null) => ({
    id: head.id,
    object: 'chat.completion.chunk',
    created: head.created,
    model: head.model,
    choices,
    ...(includeUsage ? { usage } : {}),
  });
  const results: GenerationResult[] = [];
  const callsOf = new Map<number, number>();
  for (let index = 0; index < count; index++) {
    yield chunk([{ index, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null }]);
  }
  for await (const event of events) {
    const { index } = event;
    if ('result' in event) {
      results[index] = event.result;
      yield chunk([{ index, delta: {}, logprobs: null, finish_reason: finishReason(event.result) }]);
      continue;
    }
    const { piece } = event;
    const seen = callsOf.get(index) ?? 0;
    callsOf.set(index, seen + (piece.calls?.length ?? 0));
    // Log-probabilities are of the whole piece, and go with its first part.
    let logprobs = piece.logprobs?.length ? chatLogprobs(tokenizer, piece.logprobs) : null;
    for (const delta of deltas(piece, seen)) {
      yield chunk([{ index, delta, logprobs, finish_reason: null }]);
      logprobs = null;
    }
  }
  if (includeUsage) yield chunk([], usageOf(results, count));
}

/** The parts of a piece; a call is its name, then its arguments. */
function* deltas({ text, reasoning, calls = [] }: GenerationPiece, seen: number): Generator<object, void> {
  if (reasoning !== '') yield { reasoning_content: reasoning };
  if (text !== '' || (reasoning === '' && calls.length === 0)) yield { content: text };
  for (const [place, call] of calls.entries()) {
    const index = seen + place;
    const { function: called, ...shape } = toolCallShape(call);
    yield { tool_calls: [{ index, ...shape, function: { name: called.name, arguments: '' } }] };
    yield { tool_calls: [{ index, function: { arguments: called.arguments } }] };
  }
}
