import type { Conversation, Message } from '../conversation/conversation.js';
import { pathOf, versionsOf } from '../conversation/tree.js';
import { AnswerView } from './answer-view.js';
import { iconButton } from './button.js';
import { element } from './element.js';
import type { MessageActions } from './message-actions.js';
import type { MessageView } from './message-view.js';
import { toolView } from './tool-view.js';
import { userView } from './user-view.js';

/** How close to its end, in pixels, a conversation has to be to follow what is added. */
const nearEnd = 40;

/** The messages of a conversation. Follows its end, unless somebody scrolled away from it. */
export class Thread {
  readonly #list = element('div', { class: 'messages' });
  readonly #scroller = element(
    'section',
    { class: 'scroller', tabindex: 0, 'aria-label': 'Messages' },
    this.#list,
  );
  readonly #toEnd = iconButton('down', 'Go to the end', () => this.follow(), {
    class: 'to-end',
    hidden: true,
  });
  readonly element = element('div', { class: 'thread' }, this.#scroller, this.#toEnd);
  #views = new Map<string, MessageView>();
  #conversation: string | undefined;
  #follows = true;
  #frame = 0;

  constructor(readonly actions: MessageActions) {
    let top = 0;
    this.#scroller.addEventListener('scroll', () => {
      const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
      const isAtEnd = scrollHeight - clientHeight - scrollTop < nearEnd;
      // Only a person scrolls up; what grows below is no reason to stop following.
      if (isAtEnd) this.#follows = true;
      else if (scrollTop < top - 1) this.#follows = false;
      top = scrollTop;
      this.#toEnd.hidden = isAtEnd || this.#follows;
    });
    const growth = new ResizeObserver(() => {
      if (this.#follows) this.#scroller.scrollTop = this.#scroller.scrollHeight;
    });
    growth.observe(this.#list);
    growth.observe(this.#scroller);
  }

  /** Scrolls to the end and stays there. */
  follow(): void {
    this.#follows = true;
    this.#toEnd.hidden = true;
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
  }

  /** Shows the path of a conversation; messages that are there already stay as they are. `isBusy`: an answer arrives. */
  show(conversation: Conversation, isBusy: boolean): void {
    const isOther = this.#conversation !== conversation.id;
    this.#conversation = conversation.id;
    const path = pathOf(conversation);
    const viewOf = (message: Message) => {
      const known = this.#views.get(message.id);
      return known?.message === message ? known : this.#make(message);
    };
    this.#views = new Map(path.map((message) => [message.id, viewOf(message)]));
    for (const [index, message] of path.entries()) {
      const view = this.#views.get(message.id)!;
      const versions = versionsOf(conversation, message);
      if (view instanceof AnswerView) view.update(versions, index === path.length - 1);
      else view.update(versions);
    }
    const wanted = [...this.#views.values()].map((view) => view.element);
    for (const child of [...this.#list.children]) {
      if (!wanted.includes(child as HTMLElement)) child.remove();
    }
    for (const [index, child] of wanted.entries()) {
      if (this.#list.children[index] !== child)
        this.#list.insertBefore(child, this.#list.children[index] ?? null);
    }
    for (const button of this.#list.querySelectorAll<HTMLButtonElement>('[data-needs-rest]')) {
      button.disabled = isBusy;
    }
    if (isOther) this.follow();
  }

  #make(message: Message): MessageView {
    if (message.role === 'user') return userView(message, this.actions);
    return message.role === 'tool' ? toolView(message) : new AnswerView(message, this.actions);
  }

  /** Shows what arrived of an answer, once before the next picture. */
  grow(id: string): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      const view = this.#views.get(id);
      if (view instanceof AnswerView && view.message.state === 'arriving') view.grow();
    });
  }

  /** Moves the focus to what steps through the versions of a message. */
  focusVersions({ id }: Message): void {
    const view = this.#views.get(id)?.element;
    view?.querySelector<HTMLElement>('.versions button:not(:disabled)')?.focus();
  }

  /** Opens the last message of the person for a change. */
  editLast(): void {
    [...this.#views.values()].findLast((view) => view.edit)?.edit?.();
  }
}
