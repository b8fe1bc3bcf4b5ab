import type { Message } from '../conversation/conversation.js';

/** A message on the page. */
export interface MessageView {
  readonly message: Message;
  readonly element: HTMLElement;
  /** Shows what changed; `versions` are all that stand in this message's place. */
  update(versions: readonly Message[]): void;
  /** Opens the message for a change, where it can be changed. */
  edit?(): void;
}
