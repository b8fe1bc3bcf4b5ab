import type { PocketError } from '@pocketllm/abi';
import { requestInvalid } from '../request-invalid.js';

export const chatRoles = ['system', 'developer', 'user', 'assistant', 'tool'] as const;
export type ChatRole = (typeof chatRoles)[number];

export interface TextContentPart {
  type: 'text';
  text: string;
}

export interface ToolCall {
  id?: string | undefined;
  type?: 'function' | undefined;
  /** `arguments`: a JSON object, or the text of one as OpenAI's API has it. */
  function: { name: string; arguments: string | Record<string, unknown> };
}

/** One message of a conversation, as in OpenAI's chat API, with the reasoning as a field of its own. */
export interface ChatMessage {
  role: ChatRole;
  content?: string | null | readonly TextContentPart[] | undefined;
  /** What an assistant thought before it answered. The template decides whether the model sees it again. */
  reasoning_content?: string | null | undefined;
  tool_calls?: readonly ToolCall[] | null | undefined;
  /** In a tool message: the call that it answers. */
  tool_call_id?: string | undefined;
  name?: string | undefined;
}

/** A function that the model may call. The template is given the object as it stands. */
export interface ToolDefinition {
  type: 'function';
  function: {
    name: string;
    description?: string | undefined;
    /** JSON schema of an object. */
    parameters?: Record<string, unknown> | undefined;
    [key: string]: unknown;
  };
}

/**
 * Checks that a value from outside is a conversation. Throws REQUEST_INVALID with the field at fault, also
 * for a field that nothing here would look at.
 */
export function validateMessages(value: unknown): readonly ChatMessage[] {
  const messages = list(value, 'messages');
  if (messages.length === 0) throw invalid('messages', 'at least one message', 'none');
  messages.forEach((message, i) => {
    validateMessage(message, `messages[${i}]`);
  });
  return messages as ChatMessage[];
}

/** Checks tool definitions from outside. Throws REQUEST_INVALID with the field at fault. */
export function validateTools(value: unknown): readonly ToolDefinition[] {
  const names = new Set<string>();
  list(value, 'tools').forEach((tool, i) => {
    const field = `tools[${i}]`;
    const given = record(tool, field);
    if (given.type !== 'function') throw invalid(`${field}.type`, '"function"', given.type);
    const declared = record(given.function, `${field}.function`);
    const name = nonEmpty(declared.name, `${field}.function.name`);
    if (names.has(name)) throw invalid(`${field}.function.name`, 'a name not used before', name);
    names.add(name);
    optional(declared.description, `${field}.function.description`, text);
    optional(declared.parameters, `${field}.function.parameters`, record);
  });
  return value as ToolDefinition[];
}

/** The text of a message: parts on lines of their own, nothing where there is no content. */
export function contentText(content: ChatMessage['content']): string {
  if (content === null || content === undefined) return '';
  return typeof content === 'string' ? content : content.map((part) => part.text).join('\n');
}

const messageFields = ['role', 'content', 'reasoning_content', 'tool_calls', 'tool_call_id', 'name'];

function validateMessage(value: unknown, field: string): void {
  const message = record(value, field);
  for (const [key, given] of Object.entries(message)) {
    const isKnown = messageFields.includes(key) || given === null || given === undefined;
    if (!isKnown) throw invalid(`${field}.${key}`, messageFields.join(', '), key);
  }
  if (!chatRoles.some((role) => role === message.role)) {
    throw invalid(`${field}.role`, chatRoles.join(', '), message.role);
  }
  validateContent(message.content, `${field}.content`);
  optional(message.reasoning_content, `${field}.reasoning_content`, text);
  optional(message.tool_call_id, `${field}.tool_call_id`, text);
  optional(message.name, `${field}.name`, text);
  optional(message.tool_calls, `${field}.tool_calls`, list)?.forEach((call, i) => {
    if (message.role !== 'assistant')
      throw invalid(`${field}.tool_calls`, 'none but from an assistant', 'some');
    validateToolCall(call, `${field}.tool_calls[${i}]`);
  });
}

function validateContent(value: unknown, field: string): void {
  if (value === null || value === undefined || typeof value === 'string') return;
  list(value, field).forEach((given, i) => {
    const part = record(given, `${field}[${i}]`);
    if (part.type !== 'text') throw invalid(`${field}[${i}].type`, '"text"', part.type);
    text(part.text, `${field}[${i}].text`);
  });
}

function validateToolCall(value: unknown, field: string): void {
  const call = record(value, field);
  optional(call.id, `${field}.id`, text);
  if ((call.type ?? 'function') !== 'function') throw invalid(`${field}.type`, '"function"', call.type);
  const called = record(call.function, `${field}.function`);
  nonEmpty(called.name, `${field}.function.name`);
  if (typeof called.arguments !== 'string') record(called.arguments, `${field}.function.arguments`);
}

function optional<Kind>(value: unknown, field: string, check: (value: unknown, field: string) => Kind) {
  return value === null || value === undefined ? undefined : check(value, field);
}

function text(value: unknown, field: string): string {
  if (typeof value !== 'string') throw invalid(field, 'a string', value);
  return value;
}

function nonEmpty(value: unknown, field: string): string {
  if (text(value, field) === '') throw invalid(field, 'a string that is not empty', value);
  return value as string;
}

function list(value: unknown, field: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalid(field, 'a list', value);
  return value;
}

function record(value: unknown, field: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(field, 'an object', value);
  return value as Record<string, unknown>;
}

function invalid(field: string, expected: string, found: unknown): PocketError {
  const isShown = typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean';
  const shown = isShown ? JSON.stringify(found).slice(0, 100) : found === null ? 'null' : typeof found;
  return requestInvalid(field.slice(0, 200), expected, shown);
}
