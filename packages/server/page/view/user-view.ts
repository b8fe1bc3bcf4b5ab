import type { Message, UserMessage } from '../conversation/conversation.js';
import { iconButton } from './button.js';
import { copyButton } from './copy-button.js';
import { element } from './element.js';
import { growWithText } from './grow-with-text.js';
import { type MessageActions, placeAmong, versionButtons } from './message-actions.js';
import type { MessageView } from './message-view.js';

/** What a person wrote: text as it is, and a form to change it. */
export function userView(message: UserMessage, actions: MessageActions): MessageView {
  const foot = element('div', { class: 'message-foot' });
  const bubble = element('div', { class: 'bubble' }, message.text);
  const view = element(
    'article',
    { class: 'message user', 'data-id': message.id },
    element('h2', { class: 'visually-hidden' }, 'You'),
    bubble,
    foot,
  );

  const edit = iconButton('edit', 'Edit message', () => startEdit(), { 'data-needs-rest': true });
  let place = '';
  const endEdit = (form: HTMLElement) => {
    form.replaceWith(bubble);
    foot.hidden = false;
  };

  function startEdit(): void {
    const area = element('textarea', { 'aria-label': 'Edit message', rows: 1 });
    area.value = message.text;
    const form = element(
      'form',
      { class: 'edit' },
      area,
      element(
        'div',
        { class: 'edit-buttons' },
        element('button', { type: 'button', class: 'plain', click: () => cancel() }, 'Cancel'),
        element('button', { type: 'submit', class: 'primary' }, 'Send'),
      ),
    );
    const cancel = () => {
      endEdit(form);
      edit.focus();
    };
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const text = area.value.trim();
      if (text === '') return;
      endEdit(form);
      actions.edit(message, text);
    });
    area.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') {
        event.stopPropagation();
        cancel();
      } else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        form.requestSubmit();
      }
    });
    bubble.replaceWith(form);
    foot.hidden = true;
    growWithText(area);
    area.focus();
    area.setSelectionRange(area.value.length, area.value.length);
  }

  return {
    message,
    element: view,
    update(versions: readonly Message[]) {
      const now = placeAmong(message, versions);
      if (now === place) return;
      place = now;
      foot.replaceChildren(
        ...[
          versionButtons(message, versions, actions),
          copyButton('Copy message', () => message.text),
          edit,
        ].filter((part) => part !== undefined),
      );
    },
    edit: startEdit,
  };
}
