import type { Conversation, Message, Settings } from '../conversation/conversation.js';

/** The body of a request for an answer to `path`, the messages of a conversation in order. */
export function chatRequest({ settings }: Conversation, path: readonly Message[]): object {
  const { system, temperature, topP, topK, maxTokens, thinking, tools } = settings;
  return {
    messages: [
      ...(system.trim() === '' ? [] : [{ role: 'system', content: system }]),
      ...path.filter((message) => !isEmpty(message)).map(toApi),
    ],
    stream: true,
    stream_options: { include_usage: true },
    ...given({ temperature, top_p: topP, top_k: topK, max_tokens: maxTokens }),
    chat_template_kwargs: { enable_thinking: thinking },
    ...(tools.trim() === '' ? {} : { tools: toolsIn(tools) }),
  };
}

/** The functions of a list in JSON; a TypeError says what is wrong with it. */
export function toolsIn(text: string): unknown[] {
  let tools: unknown;
  try {
    tools = JSON.parse(text);
  } catch (error) {
    throw new TypeError(`The tools are not valid JSON: ${(error as Error).message}`);
  }
  if (Array.isArray(tools)) return tools;
  throw new TypeError('The tools must be a JSON list: [{"type": "function", "function": {…}}]');
}

/** An answer that failed before its first word is nothing that the model said. */
const isEmpty = (message: Message) =>
  message.role === 'assistant' && message.text === '' && message.calls.length === 0;

function toApi(message: Message): object {
  if (message.role === 'user') return { role: 'user', content: message.text };
  if (message.role === 'tool') return { role: 'tool', content: message.text, tool_call_id: message.callId };
  const { text, reasoning, calls } = message;
  return {
    role: 'assistant',
    content: text,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(toApiCall) }),
  };
}

const toApiCall = (call: { id: string; name: string; arguments: string }) => ({
  id: call.id,
  type: 'function',
  function: { name: call.name, arguments: call.arguments },
});

const given = (fields: Partial<Settings> | Record<string, number | undefined>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
