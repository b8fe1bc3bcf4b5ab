import type { ServedModel } from '../api/api.js';
import type { Head } from '../conversation/store.js';
import { iconButton, textButton } from './button.js';
import { element } from './element.js';
import { icon } from './icon.js';
import { themePicker } from './theme-picker.js';
import { ageText, number, roughly, whereText } from './words.js';

export interface SidebarActions {
  start(): void;
  open(id: string): void;
  rename(head: Head): void;
  remove(head: Head): void;
  save(head: Head, format: 'markdown' | 'json'): void;
  /** Takes what was exported as JSON. */
  import(file: File): void;
  forgetKey(): void;
  close(): void;
}

/** The conversations of this browser, the model, and how the page looks. */
export class Sidebar {
  readonly #list = element('div', { class: 'conversations' });
  readonly #model = element('div', { class: 'model' });
  readonly #menu = element('div', { class: 'menu', popover: 'auto' });
  readonly element: HTMLElement;

  constructor(readonly actions: SidebarActions) {
    this.element = element(
      'nav',
      { class: 'sidebar', id: 'sidebar', 'aria-label': 'Conversations' },
      element(
        'div',
        { class: 'brand' },
        icon('brand'),
        element('span', {}, 'PocketLLM'),
        iconButton('close', 'Close the list', () => actions.close(), { class: 'quiet close-list' }),
      ),
      element(
        'button',
        { type: 'button', class: 'new', click: () => actions.start() },
        icon('plus'),
        'New conversation',
      ),
      this.#list,
      element('div', { class: 'sidebar-foot' }, importButton(actions), this.#model, themePicker()),
      this.#menu,
    );
  }

  /** Shows the list, newest first; `busy` are those in which an answer arrives. */
  show(heads: readonly Head[], current: string, busy: ReadonlySet<string>): void {
    const groups = Map.groupBy(heads, ({ changed }) => ageText(changed));
    this.#list.replaceChildren(
      ...[...groups].flatMap(([age, some]) => [
        element('h2', {}, age),
        element('ul', {}, ...some.map((head) => this.#item(head, head.id === current, busy.has(head.id)))),
      ]),
    );
  }

  #item(head: Head, isCurrent: boolean, isBusy: boolean): HTMLElement {
    const more = iconButton('dots', `Options of ${head.title}`, () => this.#openMenu(head, more), {
      'aria-haspopup': 'dialog',
    });
    return element(
      'li',
      { 'data-id': head.id },
      element(
        'button',
        {
          type: 'button',
          class: 'open',
          'aria-current': isCurrent && 'true',
          click: () => this.actions.open(head.id),
        },
        element('span', {}, head.title),
        isBusy &&
          element('span', { class: 'busy' }, element('span', { class: 'visually-hidden' }, '(answering)')),
      ),
      more,
    );
  }

  #openMenu(head: Head, button: HTMLElement): void {
    const { actions } = this;
    const item = (label: string, run: () => void, attributes = {}) =>
      textButton(
        label,
        () => {
          this.#menu.hidePopover();
          button.focus();
          run();
        },
        { class: 'item', ...attributes },
      );
    this.#menu.setAttribute('role', 'group');
    this.#menu.setAttribute('aria-label', `Options of ${head.title}`);
    this.#menu.replaceChildren(
      item('Rename', () => actions.rename(head)),
      item('Export as Markdown', () => actions.save(head, 'markdown')),
      item('Export as JSON', () => actions.save(head, 'json')),
      item('Delete', () => actions.remove(head), { class: 'item danger' }),
    );
    const { left, bottom, top } = button.getBoundingClientRect();
    this.#menu.showPopover();
    const { width, height } = this.#menu.getBoundingClientRect();
    const isBelow = bottom + height < innerHeight;
    this.#menu.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
    this.#menu.style.top = `${isBelow ? bottom + 4 : top - height - 4}px`;
    this.#menu.querySelector('button')!.focus();
  }

  showModel(model: ServedModel, hasKey: boolean): void {
    const fact = (name: string, value: string) => [element('dt', {}, name), element('dd', {}, value)];
    this.#model.replaceChildren(
      element('h2', {}, model.name),
      element(
        'dl',
        {},
        ...fact('Runs on', whereText(model)),
        ...fact('Size', `${roughly(model.parameters)} parameters`),
        ...fact('Context', `${number(model.contextTokens)} tokens`),
      ),
      ...(hasKey ? [textButton('Forget the API key', () => this.actions.forgetKey())] : []),
    );
  }
}

function importButton({ import: take }: SidebarActions): HTMLButtonElement {
  const choose = () => {
    const change = () => {
      const [file] = input.files ?? [];
      if (file) take(file);
    };
    const input = element('input', { type: 'file', accept: '.json,application/json', change });
    input.click();
  };
  return textButton('Import a conversation', choose);
}
