import type { Conversation, Message } from './conversation.js';
import { pathOf } from './tree.js';

/** What is shown of a conversation, as Markdown. */
export function toMarkdown(conversation: Conversation): string {
  const { title, settings } = conversation;
  const system = settings.system.trim() === '' ? [] : [section('System', settings.system)];
  return `${[`# ${title}`, ...system, ...pathOf(conversation).map(toSection)].join('\n\n')}\n`;
}

/** Everything of a conversation: settings, counts, and what edits and repeated answers left beside the path. */
export const toJson = (conversation: Conversation): string => `${JSON.stringify(conversation, null, 2)}\n`;

function toSection(message: Message): string {
  if (message.role === 'user') return section('You', message.text);
  if (message.role === 'tool') return section(`Result of ${message.name}`, fenced(message.text));
  const calls = message.calls.map((call) => `Calls \`${call.name}\`:\n\n${fenced(call.arguments)}`);
  return section('Answer', [message.text, ...calls].filter((part) => part !== '').join('\n\n'));
}

const section = (heading: string, text: string) => `## ${heading}\n\n${text.trim()}`;

/** A block whose fence is longer than any in the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** A name for a file, of the letters that every system takes. */
export const fileNameOf = ({ title }: Conversation, extension: string): string => {
  const name = title
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase();
  return `${name || 'conversation'}.${extension}`;
};
