import { element, setText } from './element.js';
import { growWithText } from './grow-with-text.js';
import { icon } from './icon.js';
import { number } from './words.js';

export interface ComposerActions {
  send(text: string): void;
  stop(): void;
  /** Asked for by the arrow up in an empty field. */
  editLast(): void;
  setThinking(isOn: boolean): void;
}

/** Where a message is written. */
export class Composer {
  readonly #area = element('textarea', {
    id: 'message',
    rows: 1,
    'aria-label': 'Message',
    placeholder: 'Write a message',
    enterkeyhint: 'send',
  });
  readonly #send = element('button', { type: 'submit', class: 'send' });
  readonly #thinking: HTMLInputElement;
  readonly #room = element('span', { class: 'room' });
  readonly element: HTMLFormElement;
  #isBusy = false;

  constructor(readonly actions: ComposerActions) {
    this.#thinking = element('input', {
      type: 'checkbox',
      role: 'switch',
      change: () => actions.setThinking(this.#thinking.checked),
    });
    this.element = element(
      'form',
      { class: 'composer', 'aria-label': 'New message' },
      element('div', { class: 'field' }, this.#area, this.#send),
      element(
        'div',
        { class: 'composer-foot' },
        element('label', { class: 'switch' }, this.#thinking, element('span', {}, 'Thinking')),
        this.#room,
      ),
    );
    this.element.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.#area.addEventListener('keydown', (event) => this.#onKey(event));
    growWithText(this.#area);
    this.setBusy(false);
  }

  #submit(): void {
    const text = this.#area.value.trim();
    if (this.#isBusy) this.actions.stop();
    else if (text === '') this.#area.focus();
    else {
      this.setText('');
      this.actions.send(text);
    }
  }

  #onKey(event: KeyboardEvent): void {
    if (event.isComposing) return;
    if (event.key === 'ArrowUp' && this.#area.value === '' && !this.#isBusy) {
      event.preventDefault();
      this.actions.editLast();
    }
    // Where there is no keyboard, Enter is the only way to begin a line, and the button sends.
    if (event.key !== 'Enter' || event.shiftKey || matchMedia('(pointer: coarse)').matches) return;
    event.preventDefault();
    if (!this.#isBusy) this.#submit();
  }

  /** Replaces what stands in the field. */
  setText(text: string): void {
    this.#area.value = text;
    this.#area.dispatchEvent(new Event('input'));
  }

  focus(): void {
    // On a phone the focus would bring up the keyboard over the conversation.
    if (!matchMedia('(pointer: coarse)').matches) this.#area.focus();
  }

  /** Whether an answer arrives: then the button stops it. */
  setBusy(isBusy: boolean): void {
    this.#isBusy = isBusy;
    const label = isBusy ? 'Stop' : 'Send';
    if (this.#send.title === label) return;
    this.#send.title = label;
    this.#send.setAttribute('aria-label', label);
    this.#send.replaceChildren(icon(isBusy ? 'stop' : 'send'));
  }

  setThinking(isOn: boolean): void {
    this.#thinking.checked = isOn;
  }

  /** How much of the context the conversation fills. */
  setRoom(used: number | undefined, context: number | undefined): void {
    const text =
      used === undefined || context === undefined
        ? ''
        : `${number(used)} of ${number(context)} tokens of context`;
    setText(this.#room, text);
    this.#room.classList.toggle('tight', text !== '' && used! > 0.85 * context!);
  }
}
