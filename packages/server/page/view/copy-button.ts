import { announce } from './announcer.js';
import { element } from './element.js';
import { icon } from './icon.js';

/** A button that copies a text, and shows for a moment that it did. */
export function copyButton(label: string, text: () => string): HTMLButtonElement {
  const button = element(
    'button',
    { type: 'button', class: 'quiet', 'aria-label': label, title: label },
    icon('copy'),
  );
  button.addEventListener('click', async () => {
    const isCopied = await copy(text());
    announce(isCopied ? 'Copied' : 'Copying is not allowed here');
    if (!isCopied) return;
    button.replaceChildren(icon('check'));
    setTimeout(() => button.replaceChildren(icon('copy')), 1500);
  });
  return button;
}

async function copy(text: string): Promise<boolean> {
  // Without TLS on another machine's address there is no clipboard but the old way.
  if (navigator.clipboard === undefined) return copyBySelection(text);
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => copyBySelection(text),
  );
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const area = element('textarea', { class: 'visually-hidden', 'aria-hidden': 'true' });
  area.value = text;
  (focused?.closest('dialog') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
