import { eventData } from './event-data.js';
import { ApiFailure, errorIn, lost } from './fault.js';

/** What happens to an answer. */
export type ChatEvent =
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  | {
      readonly type: 'call';
      readonly index: number;
      readonly id?: string;
      readonly name?: string;
      readonly arguments?: string;
    }
  | { readonly type: 'finish'; readonly reason: string }
  | { readonly type: 'usage'; readonly promptTokens: number; readonly completionTokens: number };

/** A chunk of a streamed chat completion, as far as it is read here. */
interface Chunk {
  readonly choices?: readonly {
    readonly delta?: {
      readonly content?: string | null;
      readonly reasoning_content?: string | null;
      readonly tool_calls?: readonly {
        readonly index: number;
        readonly id?: string;
        readonly function?: { readonly name?: string; readonly arguments?: string };
      }[];
    };
    readonly finish_reason?: string | null;
  }[];
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
}

/** The events of a streamed answer. Throws an ApiFailure where the server reports one, or the stream ends early. */
export async function* chatEvents(body: AsyncIterable<string>): AsyncGenerator<ChatEvent, void> {
  for await (const data of eventData(body)) {
    if (data === '[DONE]') return;
    const chunk = JSON.parse(data) as Chunk;
    const error = errorIn(chunk);
    if (error) throw new ApiFailure({ kind: 'server', message: error.message });
    yield* eventsOf(chunk);
  }
  throw lost();
}

function* eventsOf({ choices = [], usage }: Chunk): Generator<ChatEvent, void> {
  for (const { delta = {}, finish_reason: reason } of choices) {
    if (delta.reasoning_content) yield { type: 'reasoning', text: delta.reasoning_content };
    if (delta.content) yield { type: 'text', text: delta.content };
    for (const { index, id, function: called } of delta.tool_calls ?? []) {
      yield {
        type: 'call',
        index,
        ...(id === undefined ? {} : { id }),
        ...(called?.name === undefined ? {} : { name: called.name }),
        ...(called?.arguments === undefined ? {} : { arguments: called.arguments }),
      };
    }
    if (reason) yield { type: 'finish', reason };
  }
  if (usage) {
    yield { type: 'usage', promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens };
  }
}
