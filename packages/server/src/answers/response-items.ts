import type { GenerationPiece } from '@pocketllm/runtime';
import { newId } from './answer-head.js';

/** One thing that a response consists of: reasoning, a message or a call. */
export type OutputItem = { readonly id: string; readonly type: string } & Record<string, unknown>;

/** Something that happens to a response; its place in the order is added where it is sent. */
export type ResponseEvent = { readonly type: string } & Record<string, unknown>;

const kinds = {
  reasoning: { prefix: 'rs_', part: 'reasoning_text', event: 'response.reasoning_text', more: {} },
  message: {
    prefix: 'msg_',
    part: 'output_text',
    event: 'response.output_text',
    more: { annotations: [], logprobs: [] },
  },
} as const;

interface OpenItem {
  readonly kind: keyof typeof kinds;
  readonly id: string;
  text: string;
}

/** Makes the items of a response from the pieces of an answer, with the events of their making. */
export class ResponseItems {
  readonly items: OutputItem[] = [];
  #open: OpenItem | undefined;

  *push({ reasoning, text, calls = [] }: GenerationPiece): Generator<ResponseEvent, void> {
    if (reasoning !== '') yield* this.#append('reasoning', reasoning);
    if (text !== '') yield* this.#append('message', text);
    for (const { name, arguments: args } of calls) {
      yield* this.close('completed');
      const call = { id: newId('fc_'), type: 'function_call', call_id: newId('call_'), name };
      const place = { item_id: call.id, output_index: this.items.length };
      const item = { ...call, arguments: args, status: 'completed' };
      yield this.#added({ ...call, arguments: '', status: 'in_progress' });
      yield { type: 'response.function_call_arguments.delta', ...place, delta: args };
      yield { type: 'response.function_call_arguments.done', ...place, name, arguments: args };
      yield this.#done(item);
    }
  }

  /** Ends the item that is open. */
  *close(status: 'completed' | 'incomplete'): Generator<ResponseEvent, void> {
    if (this.#open === undefined) return;
    const { kind, id, text } = this.#open;
    this.#open = undefined;
    const place = { item_id: id, output_index: this.items.length, content_index: 0 };
    const { event, part } = kinds[kind];
    yield { type: `${event}.done`, ...place, text, ...(kind === 'message' ? { logprobs: [] } : {}) };
    yield { type: 'response.content_part.done', ...place, part: { type: part, text, ...kinds[kind].more } };
    yield this.#done(textItem(kind, id, [text], status));
  }

  *#append(kind: keyof typeof kinds, added: string): Generator<ResponseEvent, void> {
    if (this.#open?.kind !== kind) yield* this.close('completed');
    const { prefix, part, event, more } = kinds[kind];
    // Text after a call begins with what would part it from the text before.
    const delta = this.#open ? added : added.replace(/^\n+/, '');
    if (delta === '') return;
    const isNew = this.#open === undefined;
    this.#open ??= { kind, id: newId(prefix), text: '' };
    const place = { item_id: this.#open.id, output_index: this.items.length, content_index: 0 };
    if (isNew) {
      yield this.#added(textItem(kind, this.#open.id, [], 'in_progress'));
      yield { type: 'response.content_part.added', ...place, part: { type: part, text: '', ...more } };
    }
    this.#open.text += delta;
    yield { type: `${event}.delta`, ...place, delta, ...(kind === 'message' ? { logprobs: [] } : {}) };
  }

  #added(item: OutputItem): ResponseEvent {
    return { type: 'response.output_item.added', output_index: this.items.length, item };
  }

  #done(item: OutputItem): ResponseEvent {
    this.items.push(item);
    return { type: 'response.output_item.done', output_index: this.items.length - 1, item };
  }
}

function textItem(
  kind: keyof typeof kinds,
  id: string,
  texts: readonly string[],
  status: string,
): OutputItem {
  const content = texts.map((text) => ({ type: kinds[kind].part, text, ...kinds[kind].more }));
  const item = { id, type: kind, status, content };
  return kind === 'message' ? { ...item, role: 'assistant' } : { ...item, summary: [] };
}
