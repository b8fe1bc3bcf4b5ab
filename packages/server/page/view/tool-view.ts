import type { AnswerMessage, ToolCall, ToolMessage } from '../conversation/conversation.js';
import { element } from './element.js';
import { growWithText } from './grow-with-text.js';
import { icon } from './icon.js';
import type { MessageActions } from './message-actions.js';
import type { MessageView } from './message-view.js';

/** A call that the model makes: the function, and its arguments one a line. */
function callCard({ name, arguments: text }: ToolCall): HTMLElement {
  const fields = fieldsIn(text);
  return element(
    'section',
    { class: 'call', 'aria-label': `Call of ${name}` },
    element('h3', {}, icon('call'), element('span', {}, 'Calls '), element('code', {}, name)),
    fields === undefined
      ? element('pre', { tabindex: 0, role: 'region', 'aria-label': 'Arguments' }, text)
      : element(
          'dl',
          {},
          ...fields.flatMap(([key, value]) => [element('dt', {}, key), element('dd', {}, value)]),
        ),
  );
}

/** Arguments as names and values; undefined where they are not an object in JSON. */
function fieldsIn(text: string): [string, string][] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return Object.entries(value).map(([key, field]) => [
      key,
      typeof field === 'string' ? field : JSON.stringify(field),
    ]);
  } catch {
    return undefined;
  }
}

/** The calls of an answer, with a form for what they returned. */
export function callsView(message: AnswerMessage, isOpen: boolean, actions: MessageActions): HTMLElement {
  const cards = message.calls.map(callCard);
  if (!isOpen) return element('div', { class: 'calls' }, ...cards);
  const areas = message.calls.map(({ name }) => {
    const area = element('textarea', { rows: 1, required: true, 'aria-label': `Result of ${name}` });
    area.placeholder = `What ${name} returned`;
    return area;
  });
  const form = element(
    'form',
    { class: 'calls' },
    ...cards.flatMap((card, index) => [card, areas[index]]),
    element('button', { type: 'submit', class: 'plain' }, 'Send results'),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    actions.giveResults(
      message,
      message.calls.map((call, index) => ({ call, text: areas[index]!.value })),
    );
  });
  for (const area of areas) growWithText(area);
  return form;
}

/** What a function returned. */
export function toolView(message: ToolMessage): MessageView {
  const view = element(
    'article',
    { class: 'message tool', 'data-id': message.id },
    element('h2', {}, 'Result of ', element('code', {}, message.name)),
    element('pre', { tabindex: 0, role: 'region', 'aria-label': `Result of ${message.name}` }, message.text),
  );
  return { message, element: view, update() {} };
}
