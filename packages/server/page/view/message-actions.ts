import type { AnswerMessage, Message, ToolCall, UserMessage } from '../conversation/conversation.js';
import { iconButton } from './button.js';
import { element } from './element.js';

/** What a person can do with a message. */
export interface MessageActions {
  /** Asks anew with another text, beside the first. */
  edit(message: UserMessage, text: string): void;
  /** Makes another answer, beside the first. */
  again(message: AnswerMessage): void;
  /** Shows another message in its place. */
  choose(message: Message): void;
  /** Gives what the called functions returned, in the order of the calls. */
  giveResults(message: AnswerMessage, results: readonly { call: ToolCall; text: string }[]): void;
  /** Asks for the API key. */
  enterKey(message: AnswerMessage): void;
}

/** Which version a message is, of how many: what is shown of it changes with that alone. */
export const placeAmong = ({ id }: Message, versions: readonly Message[]): string =>
  `${versions.findIndex((version) => version.id === id) + 1} / ${versions.length}`;

/** Steps through the versions of a message; nothing where there is one only. */
export function versionButtons(
  message: Message,
  versions: readonly Message[],
  { choose }: MessageActions,
): HTMLElement | undefined {
  const at = versions.findIndex(({ id }) => id === message.id);
  if (versions.length < 2) return undefined;
  const step = (by: -1 | 1, label: string) => {
    const target = versions[at + by];
    return iconButton(by < 0 ? 'left' : 'right', label, () => target && choose(target), {
      disabled: target === undefined,
      'data-needs-rest': target !== undefined,
    });
  };
  return element(
    'div',
    { class: 'versions', role: 'group', 'aria-label': 'Versions' },
    step(-1, 'Version before'),
    element('span', { 'aria-hidden': 'true' }, placeAmong(message, versions)),
    element('span', { class: 'visually-hidden' }, `Version ${at + 1} of ${versions.length}`),
    step(1, 'Version after'),
  );
}
