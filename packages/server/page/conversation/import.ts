import type { Fault } from '../api/fault.js';
import {
  type AnswerCounts,
  type AnswerMessage,
  type Conversation,
  defaultSettings,
  type Message,
  newConversation,
  newId,
  type Settings,
  start,
} from './conversation.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads what an export as JSON holds. It becomes a conversation of its own, with ids of its own: nothing that is kept
 * here is replaced. A TypeError says what is wrong with a file that is no such export.
 */
export function fromJson(text: string): Conversation {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new TypeError('it is not JSON');
  }
  const { title, isNamed, created, settings, messages, chosen } = fields(content, 'the file');
  const given = Object.entries(fields(messages, 'messages'));
  const ids = new Map(given.map(([id]) => [id, newId()]));
  const idOf = (id: unknown, where: string): string => {
    const found = typeof id === 'string' ? ids.get(id) : undefined;
    return found ?? wrong(where, 'the id of a message');
  };
  const read = given.map(([id, value]) => {
    const message = fields(value, `message ${id}`);
    const parent = message.parent === null ? null : idOf(message.parent, `parent of ${id}`);
    return toMessage(message, { id: idOf(id, 'messages'), parent }, `message ${id}`);
  });
  const byId = Object.fromEntries(read.map((message) => [message.id, message]));
  for (const message of read) checkParents(message, byId);
  const shown = Object.entries(fields(chosen, 'chosen')).map(([place, id]) => {
    const [parent, child] = [place === start ? null : idOf(place, 'chosen'), idOf(id, `chosen ${place}`)];
    return byId[child]!.parent === parent
      ? [parent ?? start, child]
      : wrong('chosen', 'an answer to its place');
  });
  return {
    ...newConversation(toSettings(fields(settings, 'settings'))),
    title: string(title, 'title'),
    isNamed: isNamed === true,
    created: number(created, 'created'),
    messages: byId,
    chosen: Object.fromEntries(shown),
  };
}

/** What a message follows must come to an end. */
function checkParents(message: Message, byId: Readonly<Record<string, Message>>): void {
  const above = new Set<Message>();
  for (let at: Message | undefined = message; at; at = at.parent === null ? undefined : byId[at.parent]) {
    if (above.has(at)) wrong('messages', 'a tree');
    above.add(at);
  }
}

function toSettings({ system, temperature, topP, topK, maxTokens, thinking, tools }: Fields): Settings {
  const optional = (value: unknown, name: string) => (value === undefined ? undefined : number(value, name));
  return {
    system: string(system, 'system'),
    temperature: optional(temperature, 'temperature'),
    topP: optional(topP, 'topP'),
    topK: optional(topK, 'topK'),
    maxTokens: optional(maxTokens, 'maxTokens'),
    thinking: typeof thinking === 'boolean' ? thinking : defaultSettings.thinking,
    tools: string(tools, 'tools'),
  };
}

function toMessage(message: Fields, ids: Pick<Message, 'id' | 'parent'>, where: string): Message {
  const { role, text, created } = message;
  const base = { ...ids, created: number(created, where), text: string(text, where) };
  if (role === 'user') return { ...base, role };
  if (role === 'assistant') return { ...base, role, ...toAnswer(message, where) };
  if (role !== 'tool') return wrong(where, 'a role');
  return { ...base, role, callId: string(message.callId, where), name: string(message.name, where) };
}

function toAnswer({ reasoning, thoughtMs, calls, state, fault, warnings, counts }: Fields, where: string) {
  const answer: Omit<AnswerMessage, 'id' | 'parent' | 'created' | 'role' | 'text'> = {
    reasoning: string(reasoning, where),
    thoughtMs: number(thoughtMs, where),
    calls: list(calls, where).map((call) => {
      const { id, name, arguments: given } = fields(call, where);
      return { id: string(id, where), name: string(name, where), arguments: string(given, where) };
    }),
    state: oneOf(state, ['arriving', 'done', 'stopped', 'cut', 'failed'] as const, where),
  };
  if (answer.state === 'arriving') answer.state = 'stopped';
  if (fault !== undefined) answer.fault = toFault(fields(fault, where), where);
  if (warnings !== undefined) answer.warnings = list(warnings, where).map((line) => string(line, where));
  if (counts !== undefined) answer.counts = toCounts(fields(counts, where), where);
  return answer;
}

function toFault({ kind, message, retryAfter }: Fields, where: string): Fault {
  return {
    kind: oneOf(kind, ['key', 'busy', 'context', 'refused', 'server', 'lost'] as const, where),
    message: string(message, where),
    ...(retryAfter === undefined ? {} : { retryAfter: number(retryAfter, where) }),
  };
}

const toCounts = ({ promptTokens, tokens, waitMs, writeMs }: Fields, where: string): AnswerCounts => ({
  promptTokens: promptTokens === undefined ? undefined : number(promptTokens, where),
  tokens: number(tokens, where),
  waitMs: number(waitMs, where),
  writeMs: number(writeMs, where),
});

const fields = (value: unknown, where: string): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : wrong(where, 'an object');
const list = (value: unknown, where: string): readonly unknown[] =>
  Array.isArray(value) ? value : wrong(where, 'a list');
const string = (value: unknown, where: string): string =>
  typeof value === 'string' ? value : wrong(where, 'text');
const number = (value: unknown, where: string): number =>
  typeof value === 'number' ? value : wrong(where, 'a number');
const oneOf = <T extends string>(value: unknown, known: readonly T[], where: string): T =>
  known.find((each) => each === value) ?? wrong(where, known.join(', '));

function wrong(where: string, wanted: string): never {
  throw new TypeError(`${where} is not as exported: ${wanted} is missing`);
}
