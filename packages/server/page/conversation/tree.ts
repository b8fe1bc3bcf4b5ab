import { type Conversation, type Message, start } from './conversation.js';

/** The messages that are shown, first to last. */
export function pathOf({ messages, chosen }: Conversation): Message[] {
  const path: Message[] = [];
  for (let id = chosen[start]; id !== undefined; id = chosen[id]) path.push(messages[id]!);
  return path;
}

/** The messages up to `id`, itself included. */
export function pathTo(conversation: Conversation, id: string | null): Message[] {
  const path: Message[] = [];
  for (let at = id; at !== null; at = path[0]!.parent) path.unshift(conversation.messages[at]!);
  return path;
}

/** Adds a message and shows it. */
export function add(conversation: Conversation, message: Message): void {
  conversation.messages[message.id] = message;
  conversation.chosen[message.parent ?? start] = message.id;
  conversation.changed = Date.now();
}

/** All that stand in the place of a message, oldest first. */
export function versionsOf({ messages }: Conversation, { parent }: Message): Message[] {
  return Object.values(messages).filter((message) => message.parent === parent);
}

/** Shows another message in the place where it stands. */
export function choose({ chosen }: Conversation, { id, parent }: Message): void {
  chosen[parent ?? start] = id;
}
