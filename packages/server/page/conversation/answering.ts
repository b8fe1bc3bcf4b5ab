import type { Api } from '../api/api.js';
import { type AnswerMessage, type Conversation, newId } from './conversation.js';
import type { Store } from './store.js';
import { add } from './tree.js';
import { writeAnswer } from './write-answer.js';

interface Underway {
  readonly conversation: Conversation;
  readonly abort: AbortController;
  readonly ended: Promise<void>;
}

export interface AnsweringEvents {
  /** An answer began or ended. */
  changed(conversation: Conversation, message: AnswerMessage): void;
  /** A piece of it arrived. */
  grew(conversation: Conversation, message: AnswerMessage): void;
  /** The browser could not keep it. */
  notKept(error: unknown): void;
}

/** How often an answer is saved while it arrives, so that little is lost with the tab. */
const saveEveryMs = 1000;

/** Answers that arrive now, at most one for a conversation. They go on while another conversation is shown. */
export class Answering {
  readonly #underway = new Map<string, Underway>();

  constructor(
    readonly api: Api,
    readonly store: Store,
    readonly events: AnsweringEvents,
  ) {}

  /** By the ids of their conversations. */
  get busy(): ReadonlySet<string> {
    return new Set(this.#underway.keys());
  }

  /** The conversation as it is being changed. */
  conversation(id: string): Conversation | undefined {
    return this.#underway.get(id)?.conversation;
  }

  /** Ends an answer early; resolves when it is kept as far as it came. */
  async stop(id: string): Promise<void> {
    const underway = this.#underway.get(id);
    underway?.abort.abort();
    await underway?.ended;
  }

  /** Ends all answers, since the page goes away and their connections with it. */
  stopAll(): void {
    for (const { abort } of this.#underway.values()) abort.abort();
  }

  /** Asks for an answer to the message `parent` of a conversation in which none arrives. */
  start(conversation: Conversation, parent: string): void {
    const message: AnswerMessage = {
      id: newId(),
      parent,
      role: 'assistant',
      created: Date.now(),
      text: '',
      reasoning: '',
      thoughtMs: 0,
      calls: [],
      state: 'arriving',
    };
    add(conversation, message);
    const abort = new AbortController();
    const ended = this.#write(conversation, message, abort.signal);
    this.#underway.set(conversation.id, { conversation, abort, ended });
    this.events.changed(conversation, message);
  }

  async #write(conversation: Conversation, message: AnswerMessage, signal: AbortSignal): Promise<void> {
    let saved = Date.now();
    await this.#save(conversation);
    await writeAnswer(this.api, conversation, message, signal, () => {
      this.events.grew(conversation, message);
      if (Date.now() - saved < saveEveryMs) return;
      saved = Date.now();
      void this.#save(conversation, true);
    });
    conversation.changed = Date.now();
    this.#underway.delete(conversation.id);
    // Begun first, so that who looks at the list in answer to the event finds it there.
    const kept = this.#save(conversation);
    this.events.changed(conversation, message);
    await kept;
  }

  #save(conversation: Conversation, isQuiet = false): Promise<void> {
    return this.store.save(conversation, isQuiet).catch((error: unknown) => this.events.notKept(error));
  }
}
