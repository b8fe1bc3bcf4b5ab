import { iconButton } from './button.js';
import { type Child, element } from './element.js';

let made = 0;

/** A dialog with a heading, above the page until it is closed. Escape closes it, and the focus goes back. */
export function openDialog(
  heading: string,
  children: readonly Child[],
  { kind = 'small', onClose }: { kind?: 'small' | 'sheet'; onClose?: () => void } = {},
): HTMLDialogElement {
  const id = `dialog-${++made}`;
  const dialog = element(
    'dialog',
    { class: kind, 'aria-labelledby': id },
    element(
      'div',
      { class: 'dialog-head' },
      element('h2', { id }, heading),
      iconButton('close', 'Close', () => dialog.close()),
    ),
    ...children,
  );
  dialog.addEventListener('close', () => {
    dialog.remove();
    onClose?.();
  });
  // A press beside the dialog closes it.
  dialog.addEventListener('pointerdown', (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Asks for one line of text; undefined where the person does not give it. */
export function askText(
  heading: string,
  {
    label,
    value = '',
    button,
    type = 'text',
    about,
  }: {
    label: string;
    value?: string;
    button: string;
    type?: 'text' | 'password';
    about?: string;
  },
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const input = element('input', { type, value, required: true, autocomplete: 'off', spellcheck: 'false' });
    let given: string | undefined;
    const form = element(
      'form',
      {
        submit: (event: SubmitEvent) => {
          event.preventDefault();
          given = input.value.trim() || undefined;
          dialog.close();
        },
      },
      about !== undefined && element('p', { class: 'about' }, about),
      element('label', { class: 'row' }, element('span', {}, label), input),
      element(
        'div',
        { class: 'dialog-buttons' },
        element('button', { type: 'submit', class: 'primary' }, button),
      ),
    );
    const dialog = openDialog(heading, [form], { onClose: () => resolve(given) });
    input.focus();
    input.select();
  });
}

/** Asks whether to do what cannot be undone. */
export function askWhether(heading: string, about: string, button: string): Promise<boolean> {
  return new Promise((resolve) => {
    let isAgreed = false;
    const agree = () => {
      isAgreed = true;
      dialog.close();
    };
    const dialog = openDialog(
      heading,
      [
        element('p', { class: 'about' }, about),
        element(
          'div',
          { class: 'dialog-buttons' },
          element('button', { type: 'button', class: 'plain', click: () => dialog.close() }, 'Cancel'),
          element('button', { type: 'button', class: 'primary danger', click: agree }, button),
        ),
      ],
      { onClose: () => resolve(isAgreed) },
    );
  });
}
