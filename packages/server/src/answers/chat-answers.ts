import type { Model } from '@pocketllm/runtime';
import type { AnswerEvent, MakeAnswers, Run } from '../engine/service.js';
import type { ChatRequest } from '../schema/chat-request.js';
import { toChatMessage } from '../schema/messages.js';
import { askedFormat, namingFormat } from '../schema/response-format.js';
import type { ResponseRequest } from '../schema/response-request.js';
import { generationOptions, given } from '../schema/sampling.js';
import { forcedCall } from '../schema/tool-choice.js';

/** The fields of a chat that say what is to be answered, and how. */
export type ChatOrder = Omit<ChatRequest, 'stream' | 'stream_options' | 'model'> &
  Pick<ResponseRequest, 'text'>;

/** The answers that a chat asks for, of which none has begun. */
export function chatAnswers(model: Model, order: ChatOrder): MakeAnswers {
  const messages = order.messages.map(toChatMessage);
  const tools = order.tool_choice === 'none' || !order.tools?.length ? undefined : order.tools;
  const { reasoning_effort: effort, chat_template_kwargs: kwargs } = order;
  const enableThinking = kwargs?.enable_thinking ?? (effort === undefined ? undefined : effort !== 'none');
  const asked = askedFormat(order);
  return (signalOf) =>
    Array.from({ length: order.n ?? 1 }, (_, index) =>
      namingFormat(asked, () =>
        model.chat(messages, {
          ...generationOptions(order, index),
          ...given({
            maxTokens: order.max_completion_tokens ?? order.max_tokens,
            tools,
            toolChoice: forcedCall(order.tool_choice),
            parallelCalls: order.parallel_tool_calls,
            responseFormat: asked?.format,
            enableThinking,
            thinkingBudget: order.thinking_budget,
            logprobs: order.logprobs ? (order.top_logprobs ?? 0) : undefined,
          }),
          readCalls: tools !== undefined,
          signal: signalOf(index),
        }),
      ),
    );
}

/** What happens to the answers; each ends after its first call where calls must not be parallel. */
export async function* chatEvents(
  run: Run,
  { parallel_tool_calls: parallel = true }: Pick<ChatOrder, 'parallel_tool_calls'>,
): AsyncGenerator<AnswerEvent, void> {
  if (parallel) return yield* run.events;
  const called = new Set<number>();
  for await (const event of run.events) {
    const { index } = event;
    if ('result' in event) {
      const { result } = event;
      yield { index, result: result.calls ? { ...result, calls: result.calls.slice(0, 1) } : result };
      continue;
    }
    if (called.has(index)) continue;
    const { calls = [] } = event.piece;
    if (calls.length > 0) {
      called.add(index);
      run.finish(index);
    }
    yield { index, piece: { ...event.piece, calls: calls.slice(0, 1) } };
  }
}
