import type { Fault } from '../api/fault.js';
import type { AnswerMessage, Message } from '../conversation/conversation.js';
import { highlightRest } from '../markdown/highlight.js';
import { StreamingMarkdown, showMarkdown } from '../markdown/streaming.js';
import { iconButton, textButton } from './button.js';
import { copyButton } from './copy-button.js';
import { element, setText } from './element.js';
import { icon } from './icon.js';
import { type MessageActions, placeAmong, versionButtons } from './message-actions.js';
import type { MessageView } from './message-view.js';
import { callsView } from './tool-view.js';
import { countsOf, duration, plural } from './words.js';

/** An answer, complete or while it arrives. */
export class AnswerView implements MessageView {
  readonly element: HTMLElement;
  readonly #body = element('div', { class: 'markdown' });
  readonly #waiting = element(
    'p',
    { class: 'waiting' },
    element('span', { class: 'visually-hidden' }, 'Waiting for the first word'),
  );
  readonly #counts = element('span', { class: 'counts' });
  readonly #foot = element('div', { class: 'message-foot' });
  readonly #after = element('div', { class: 'after' });
  readonly #markdown = new StreamingMarkdown(this.#body);
  readonly #thinking = new ThinkingView();
  #shownAs = '';
  #place = '';

  constructor(
    readonly message: AnswerMessage,
    readonly actions: MessageActions,
  ) {
    this.element = element(
      'article',
      { class: 'message answer', 'data-id': message.id, 'aria-busy': 'true' },
      element('h2', { class: 'visually-hidden' }, 'Answer'),
      this.#thinking.element,
      this.#body,
      this.#waiting,
      this.#after,
      this.#foot,
    );
  }

  /** Shows what arrived since the last call. */
  grow(): void {
    const { message } = this;
    this.#thinking.show(message);
    this.#waiting.hidden = message.text !== '' || message.reasoning !== '';
    this.#markdown.show(message.text);
    this.#showCounts();
    if (!this.#counts.isConnected) this.#foot.replaceChildren(this.#counts);
  }

  /** `isLast`: whether nothing follows the answer, so that results of its calls are still awaited. */
  update(versions: readonly Message[], isLast = true): void {
    const { message } = this;
    if (message.state === 'arriving') {
      this.grow();
      return;
    }
    if (this.element.ariaBusy === 'true') this.#complete();
    const shownAs = `${message.state} ${isLast}`;
    // What is typed into a form there must stay.
    if (shownAs !== this.#shownAs) this.#showAfter(isLast);
    this.#shownAs = shownAs;
    const place = placeAmong(message, versions);
    if (place !== this.#place) this.#showFoot(versions);
    this.#place = place;
  }

  #showFoot(versions: readonly Message[]): void {
    const { message, actions } = this;
    this.#foot.replaceChildren(
      ...[
        versionButtons(message, versions, actions),
        message.text !== '' && copyButton('Copy answer', () => message.text),
        iconButton('again', 'Answer again', () => actions.again(message), { 'data-needs-rest': true }),
        this.#counts,
      ].filter((part) => part !== undefined && part !== false),
    );
  }

  #showAfter(isLast: boolean): void {
    const { message, actions } = this;
    this.#after.replaceChildren(
      ...[
        message.calls.length > 0 && callsView(message, isLast && message.state !== 'failed', actions),
        ...(message.warnings ?? []).map((text) => note(text)),
        message.state === 'stopped' && note('Stopped.'),
        message.state === 'cut' && note('The answer reached its limit of tokens.'),
        message.fault && this.#faultView(message.fault),
      ].filter((part) => part !== false && part !== undefined),
    );
  }

  #complete(): void {
    const { message } = this;
    this.#waiting.hidden = true;
    this.element.ariaBusy = 'false';
    this.#thinking.show(message);
    if (this.#body.hasChildNodes()) {
      this.#markdown.show(message.text);
      this.#markdown.end();
    } else showMarkdown(this.#body, message.text);
    this.#showCounts();
    highlightRest();
  }

  #showCounts(): void {
    const { children } = this.#counts;
    for (const [place, count] of countsOf(this.message).entries()) {
      const text = place === 0 ? count : ` · ${count}`;
      if (children[place]) setText(children[place], text);
      else this.#counts.append(element('span', {}, text));
    }
  }

  #faultView({ kind, message: text, retryAfter }: Fault): HTMLElement {
    const { message, actions } = this;
    const button =
      kind === 'key'
        ? textButton('Enter the API key', () => actions.enterKey(message))
        : textButton('Try again', () => actions.again(message), { 'data-needs-rest': true });
    return element(
      'div',
      { class: 'fault' },
      icon('warning'),
      element('div', {}, element('p', {}, text), ...advice(kind, message, retryAfter)),
      button,
    );
  }
}

const note = (text: string) => element('p', { class: 'note' }, text);

function advice(kind: Fault['kind'], { text }: AnswerMessage, retryAfter: number | undefined): HTMLElement[] {
  const parts = [];
  if (kind === 'lost' && text !== '') parts.push('What had arrived is kept.');
  if (kind === 'context') parts.push('Start a new conversation, or edit an earlier message.');
  if (retryAfter !== undefined) parts.push(`It asks to wait ${plural(retryAfter, 'second')}.`);
  return parts.map((part) => element('p', { class: 'advice' }, part));
}

/** What the model thought before it answered, folded; with the time it took. */
class ThinkingView {
  readonly #summary = element('span', {});
  readonly #text = element('div', { class: 'thought' }, document.createTextNode(''));
  readonly element = element(
    'details',
    { class: 'thinking', hidden: true },
    element('summary', {}, icon('right'), this.#summary),
    this.#text,
  );

  show({ reasoning, thoughtMs, text, state }: AnswerMessage): void {
    if (reasoning === '') return;
    this.element.hidden = false;
    const shown = this.#text.firstChild as Text;
    if (reasoning.length > shown.length) shown.appendData(reasoning.slice(shown.length));
    const isThinking = state === 'arriving' && text === '';
    this.element.classList.toggle('at-work', isThinking);
    // Whole seconds while it goes on: a number that runs draws the eye.
    const soFar = thoughtMs < 1000 ? 'Thinking' : `Thinking for ${Math.floor(thoughtMs / 1000)} s`;
    setText(this.#summary, isThinking ? soFar : `Thought for ${duration(thoughtMs)}`);
  }
}
