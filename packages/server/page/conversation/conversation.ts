import type { Fault } from '../api/fault.js';

/** What a conversation asks of the model. A number that is undefined is left to the model's file. */
export interface Settings {
  readonly system: string;
  readonly temperature: number | undefined;
  readonly topP: number | undefined;
  readonly topK: number | undefined;
  readonly maxTokens: number | undefined;
  readonly thinking: boolean;
  /** Functions that the model may call, as a JSON list; empty for none. */
  readonly tools: string;
}

export const defaultSettings: Settings = {
  system: '',
  temperature: undefined,
  topP: undefined,
  topK: undefined,
  maxTokens: undefined,
  thinking: true,
  tools: '',
};

interface MessageBase {
  readonly id: string;
  /** The message it follows; null for the first. */
  readonly parent: string | null;
  /** Milliseconds since 1970. */
  readonly created: number;
}

export interface UserMessage extends MessageBase {
  readonly role: 'user';
  readonly text: string;
}

/** What a person says a called function gave. */
export interface ToolMessage extends MessageBase {
  readonly role: 'tool';
  readonly callId: string;
  readonly name: string;
  readonly text: string;
}

export interface ToolCall {
  id: string;
  name: string;
  /** JSON, if the model got it right. */
  arguments: string;
}

export interface AnswerCounts {
  /** Tokens of the prompt; undefined where the answer ended before the server counted. */
  readonly promptTokens: number | undefined;
  /** Thinking included. Without the server's count it is the number of pieces, which is close. */
  readonly tokens: number;
  /** From the request to the first piece, and from there to the last, in milliseconds. */
  readonly waitMs: number;
  readonly writeMs: number;
}

/** An answer, which grows while it arrives. */
export interface AnswerMessage extends MessageBase {
  readonly role: 'assistant';
  text: string;
  reasoning: string;
  /** From the first thought to the last, in milliseconds. */
  thoughtMs: number;
  calls: ToolCall[];
  state: 'arriving' | 'done' | 'stopped' | 'cut' | 'failed';
  fault?: Fault;
  /** What of the request had no effect, as the server says. */
  warnings?: readonly string[];
  counts?: AnswerCounts;
}

export type Message = UserMessage | AnswerMessage | ToolMessage;

/**
 * Messages form a tree: an edited message and an answer made anew stand beside the ones before, and none is lost.
 * What is shown is the path along `chosen`.
 */
export interface Conversation {
  readonly id: string;
  title: string;
  /** Whether a person gave the title. */
  isNamed: boolean;
  readonly created: number;
  changed: number;
  settings: Settings;
  readonly messages: Record<string, Message>;
  /** By the id of a message, or `start`: which of those that follow it is shown. */
  readonly chosen: Record<string, string>;
}

export const start = 'start';

export function newConversation(settings: Settings = defaultSettings): Conversation {
  const now = Date.now();
  return {
    id: newId(),
    title: '',
    isNamed: false,
    created: now,
    changed: now,
    settings,
    messages: {},
    chosen: {},
  };
}

export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(36).padStart(2, '0')).join(
    '',
  );

const longestTitle = 60;

/** The first words of a text, for a conversation without a name. */
export function titleFrom(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  if (line.length <= longestTitle) return line;
  const cut = line.slice(0, longestTitle);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), longestTitle / 2)).trimEnd()}…`;
}
