import type { ServedModel } from '../api/api.js';
import { announcer } from './announcer.js';
import { iconButton } from './button.js';
import { element, setText } from './element.js';
import { icon } from './icon.js';
import { number, roughly, whereText } from './words.js';

export interface Parts {
  readonly sidebar: HTMLElement;
  readonly thread: HTMLElement;
  readonly composer: HTMLElement;
}

/** The page: a list beside a conversation; on a narrow screen the list lies over it when it is asked for. */
export class PageFrame {
  readonly #title = element('h1', {}, 'New conversation');
  readonly #where = element('p', { class: 'where' });
  readonly #welcome = element('div', { class: 'welcome' });
  readonly #notice = element('div', { class: 'notice', hidden: true });
  readonly #main: HTMLElement;
  readonly #menu: HTMLButtonElement;
  readonly #narrow = matchMedia('(max-width: 52rem)');
  #isListOpen = false;

  constructor(
    readonly parts: Parts,
    onSettings: () => void,
  ) {
    this.#menu = iconButton('menu', 'Conversations', () => this.setList(true), {
      class: 'quiet open-list',
      'aria-expanded': 'false',
      'aria-controls': 'sidebar',
    });
    this.#main = element(
      'main',
      {},
      element(
        'header',
        {},
        this.#menu,
        element('div', { class: 'titles' }, this.#title, this.#where),
        iconButton('sliders', 'Settings', onSettings),
      ),
      this.#notice,
      this.#welcome,
      parts.thread,
      parts.composer,
    );
    const shade = element('div', { class: 'shade', click: () => this.setList(false) });
    document.body.append(parts.sidebar, shade, this.#main, announcer);
    this.#narrow.addEventListener('change', () => this.setList(false));
    this.setList(false);
  }

  /** Whether the list lies over the conversation; on a wide screen it always stands beside it. */
  setList(isOpen: boolean): void {
    const wasOpen = this.#isListOpen;
    this.#isListOpen = isOpen && this.#narrow.matches;
    document.body.classList.toggle('list-open', this.#isListOpen);
    this.#menu.ariaExpanded = String(this.#isListOpen);
    this.#main.inert = this.#isListOpen;
    this.parts.sidebar.inert = this.#narrow.matches && !this.#isListOpen;
    if (this.#isListOpen) this.parts.sidebar.querySelector<HTMLElement>('.close-list')!.focus();
    else if (wasOpen) this.#menu.focus();
  }

  get isListOpen(): boolean {
    return this.#isListOpen;
  }

  show(title: string, isEmpty: boolean): void {
    setText(this.#title, title || 'New conversation');
    document.title = title === '' ? 'PocketLLM' : `${title} · PocketLLM`;
    this.#welcome.hidden = !isEmpty;
    this.parts.thread.hidden = isEmpty;
  }

  showModel(model: ServedModel): void {
    setText(this.#where, `${model.name} · ${whereText(model)}`);
    this.#welcome.replaceChildren(
      icon('brand'),
      element('p', { class: 'greeting' }, `Ask ${model.name}`),
      element(
        'p',
        {},
        element('span', {}, `${roughly(model.parameters)} parameters`),
        element('span', {}, whereText(model)),
        element('span', {}, `${number(model.contextTokens)} tokens of context`),
      ),
      element(
        'p',
        {},
        'What you write goes to this server alone, and the conversation stays in this browser.',
      ),
    );
  }

  /** A line above the conversation, with something to do about it; empty for none. */
  notice(text: string, button?: HTMLButtonElement): void {
    this.#notice.replaceChildren(element('p', {}, text), ...(button ? [button] : []));
    this.#notice.hidden = text === '';
  }
}
