import type { GenerationResult, Tokenizer } from '@pocketllm/runtime';
import type { AnswerEvent } from '../engine/service.js';
import { toMessages } from '../schema/response-items.js';
import type { ResponseRequest } from '../schema/response-request.js';
import { given } from '../schema/sampling.js';
import type { AnswerHead } from './answer-head.js';
import type { ChatOrder } from './chat-answers.js';
import { finishReason } from './finish-reason.js';
import { type ResponseEvent, ResponseItems } from './response-items.js';

/** The chat that a response is the answer to. */
export function chatOrder(request: ResponseRequest): ChatOrder {
  const tools = request.tools?.map(({ type, name, description, parameters }) => ({
    type,
    function: {
      name,
      ...given({ description: description ?? undefined, parameters: parameters ?? undefined }),
    },
  }));
  return {
    // Of the runtime's own shape already, whose types are wider.
    messages: toMessages(request.input, request.instructions) as ChatOrder['messages'],
    ...given({
      tools,
      temperature: request.temperature,
      top_p: request.top_p,
      max_tokens: request.max_output_tokens,
      tool_choice: chatToolChoice(request.tool_choice),
      text: request.text,
      on_overflow: request.truncation === 'auto' ? ('slide' as const) : undefined,
      parallel_tool_calls: request.parallel_tool_calls,
      reasoning_effort: request.reasoning?.effort ?? undefined,
    }),
  };
}

/** As chat completions spell it. */
function chatToolChoice(choice: ResponseRequest['tool_choice']): ChatOrder['tool_choice'] {
  return typeof choice === 'object' ? { type: 'function', function: { name: choice.name } } : choice;
}

/** All events of a response, numbered; the last one holds the whole. */
export async function* responseEvents(
  head: AnswerHead,
  events: AsyncIterable<AnswerEvent>,
  request: ResponseRequest,
  tokenizer: Pick<Tokenizer, 'encode'>,
): AsyncGenerator<ResponseEvent, void> {
  let number = 0;
  const numbered = (event: ResponseEvent): ResponseEvent => ({ ...event, sequence_number: number++ });
  const items = new ResponseItems();
  const inProgress = response(head, request, 'in_progress', [], null);
  yield numbered({ type: 'response.created', response: inProgress });
  yield numbered({ type: 'response.in_progress', response: inProgress });
  for await (const event of events) {
    if ('piece' in event) {
      for (const made of items.push(event.piece)) yield numbered(made);
      continue;
    }
    const status = finishReason(event.result) === 'length' ? 'incomplete' : 'completed';
    for (const made of items.close(status)) yield numbered(made);
    const usage = usageOf(event.result, tokenizer);
    yield numbered({
      type: `response.${status}`,
      response: response(head, request, status, items.items, usage),
    });
  }
}

/** The whole response, as one object. */
export async function wholeResponse(events: AsyncIterable<ResponseEvent>): Promise<object> {
  let last: ResponseEvent | undefined;
  for await (const event of events) last = event;
  return last!.response as object;
}

function response(
  head: AnswerHead,
  request: ResponseRequest,
  status: 'in_progress' | 'completed' | 'incomplete',
  output: readonly object[],
  usage: object | null,
) {
  return {
    id: head.id,
    object: 'response',
    created_at: head.created,
    status,
    error: null,
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    model: head.model,
    output,
    usage,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: null,
    reasoning: { effort: request.reasoning?.effort ?? null, summary: null },
    store: false,
    temperature: request.temperature ?? null,
    text: { format: request.text?.format ?? { type: 'text' } },
    tool_choice: request.tool_choice ?? 'auto',
    tools: request.tools ?? [],
    top_p: request.top_p ?? null,
    truncation: request.truncation ?? 'disabled',
    metadata: {},
  };
}

/** `reasoning_tokens` are those that the reasoning encodes to, without its tags. */
function usageOf({ timings, reasoning }: GenerationResult, tokenizer: Pick<Tokenizer, 'encode'>) {
  const { promptTokens, cachedTokens, generatedTokens } = timings;
  return {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: cachedTokens },
    output_tokens: generatedTokens,
    output_tokens_details: { reasoning_tokens: tokenizer.encode(reasoning).length },
    total_tokens: promptTokens + generatedTokens,
  };
}
