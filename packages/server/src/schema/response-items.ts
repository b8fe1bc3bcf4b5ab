import type { ChatMessage, ToolCall } from '@pocketllm/runtime';
import { z } from 'zod';

const textPart = z.strictObject({
  type: z.enum(['input_text', 'output_text', 'text']),
  text: z.string(),
  annotations: z.array(z.unknown()).optional(),
  logprobs: z.array(z.unknown()).optional(),
});
const texts = z.union([z.string(), z.array(textPart)]);
/** What clients send back of an item that they got from here. */
const state = { id: z.string().nullish(), status: z.string().nullish() };

const item = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('message'),
    role: z.enum(['user', 'system', 'developer', 'assistant']),
    content: texts,
    ...state,
  }),
  z.strictObject({
    type: z.literal('function_call'),
    call_id: z.string(),
    name: z.string().min(1),
    arguments: z.string(),
    ...state,
  }),
  z.strictObject({
    type: z.literal('function_call_output'),
    call_id: z.string(),
    output: texts,
    ...state,
  }),
  z.strictObject({
    type: z.literal('reasoning'),
    summary: z.array(z.unknown()).optional(),
    content: z.array(z.strictObject({ type: z.literal('reasoning_text'), text: z.string() })).nullish(),
    encrypted_content: z.null().optional(),
    ...state,
  }),
]);

/** Messages may leave their type out. */
const withType = (value: unknown) =>
  typeof value === 'object' && value !== null && !('type' in value) ? { type: 'message', ...value } : value;

/** What a response is asked for: a text, or the items of a conversation. */
export const responseInput = z.union([z.string(), z.array(z.preprocess(withType, item)).min(1)]);

type Texts = z.output<typeof texts>;

const textOf = (content: Texts) =>
  typeof content === 'string' ? content : content.map(({ text }) => text).join('\n');

/** The conversation that the items tell. What an assistant thought, said and called in a row is one message. */
export function toMessages(
  input: z.output<typeof responseInput>,
  instructions: string | undefined,
): ChatMessage[] {
  const messages: ChatMessage[] =
    instructions === undefined ? [] : [{ role: 'system', content: instructions }];
  if (typeof input === 'string') return [...messages, { role: 'user', content: input }];
  /** The assistant's message that is still being told, in `messages` already. */
  let turn: (ChatMessage & { tool_calls?: ToolCall[] }) | undefined;
  const assistant = (isFree: (message: ChatMessage) => boolean) => {
    if (turn && isFree(turn)) return turn;
    turn = { role: 'assistant', content: '' };
    messages.push(turn);
    return turn;
  };
  for (const entry of input) {
    if (entry.type === 'reasoning') {
      const thought = (entry.content ?? []).map(({ text }) => text).join('\n');
      if (thought !== '') assistant(() => false).reasoning_content = thought;
    } else if (entry.type === 'function_call') {
      const call: ToolCall = {
        id: entry.call_id,
        type: 'function',
        function: { name: entry.name, arguments: entry.arguments },
      };
      const message = assistant(() => true);
      message.tool_calls = [...(message.tool_calls ?? []), call];
    } else if (entry.type === 'message' && entry.role === 'assistant') {
      const isFree = ({ content, tool_calls: calls }: ChatMessage) => content === '' && calls === undefined;
      assistant(isFree).content = textOf(entry.content);
    } else {
      turn = undefined;
      messages.push(
        entry.type === 'message'
          ? { role: entry.role, content: textOf(entry.content) }
          : { role: 'tool', tool_call_id: entry.call_id, content: textOf(entry.output) },
      );
    }
  }
  return messages;
}
