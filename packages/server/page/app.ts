import type { Api, ServedModel } from './api/api.js';
import { Answering } from './conversation/answering.js';
import {
  type AnswerMessage,
  type Conversation,
  defaultSettings,
  type Message,
  newConversation,
  newId,
  type Settings,
  type ToolCall,
  titleFrom,
  type UserMessage,
} from './conversation/conversation.js';
import { fileNameOf, toJson, toMarkdown } from './conversation/export.js';
import { fromJson } from './conversation/import.js';
import type { Head, Store } from './conversation/store.js';
import { add, choose, pathOf } from './conversation/tree.js';
import { announce } from './view/announcer.js';
import { Composer } from './view/composer.js';
import { askText, askWhether } from './view/dialogs.js';
import { PageFrame } from './view/page-frame.js';
import { saveFile } from './view/save-file.js';
import { openSettings } from './view/settings-sheet.js';
import { Sidebar } from './view/sidebar.js';
import { Thread } from './view/thread.js';

/** The page: one conversation that is shown, the others in a list, and what people do with them. */
export class App {
  readonly #answering: Answering;
  readonly #sidebar: Sidebar;
  readonly #thread: Thread;
  readonly #composer: Composer;
  readonly #frame: PageFrame;
  #conversation = newConversation();
  #model: ServedModel | undefined;

  constructor(
    readonly api: Api,
    readonly store: Store,
    /** Asks for the key of the server, and gets the model again. */
    readonly enterKey: () => Promise<boolean>,
  ) {
    this.#answering = new Answering(api, store, {
      changed: (conversation, message) => this.#answerChanged(conversation, message),
      grew: (conversation, message) => {
        if (conversation === this.#conversation) this.#thread.grow(message.id);
      },
      notKept: () => this.#notKept(),
    });
    this.#sidebar = new Sidebar({
      start: () => this.start(),
      open: (id) => void this.open(id),
      rename: (head) => void this.#rename(head),
      remove: (head) => void this.#remove(head),
      save: (head, format) => void this.#saveAs(head, format),
      import: (file) => void this.#import(file),
      forgetKey: () => {
        api.key = undefined;
        void enterKey();
      },
      close: () => this.#frame.setList(false),
    });
    this.#thread = new Thread({
      edit: (message, text) => this.#edit(message, text),
      again: (message) => this.#again(message),
      choose: (message) => this.#choose(message),
      giveResults: (message, results) => this.#giveResults(message, results),
      enterKey: async (message) => {
        if (await enterKey()) this.#again(message);
      },
    });
    this.#composer = new Composer({
      send: (text) => this.#send(text),
      stop: () => void this.#answering.stop(this.#conversation.id),
      editLast: () => this.#thread.editLast(),
      setThinking: (thinking) => this.#set({ ...this.#conversation.settings, thinking }),
    });
    const parts = {
      sidebar: this.#sidebar.element,
      thread: this.#thread.element,
      composer: this.#composer.element,
    };
    this.#frame = new PageFrame(parts, () => this.#openSettings());
    window.addEventListener('pagehide', () => this.#answering.stopAll());
    document.addEventListener('keydown', (event) => this.#onKey(event));
  }

  notice(text: string, button?: HTMLButtonElement): void {
    this.#frame.notice(text, button);
  }

  showModel(model: ServedModel): void {
    this.#model = model;
    this.#frame.showModel(model);
    this.#sidebar.showModel(model, this.api.key !== undefined);
    this.#show();
  }

  /** Shows an empty conversation. It takes over how answers are made, but not what is said to the model first. */
  start(): void {
    const { system, tools } = defaultSettings;
    this.#goTo(newConversation({ ...this.#conversation.settings, system, tools }));
    if (location.hash !== '') history.pushState(null, '', location.pathname);
  }

  /** Shows a conversation that is kept here, or an empty one. */
  async open(id: string, isNavigation = false): Promise<void> {
    const found = this.#answering.conversation(id) ?? (await this.store.load(id));
    if (found === undefined) return this.start();
    if (!this.#answering.busy.has(id)) endWhatWasCutOff(found);
    this.#goTo(found);
    if (!isNavigation) history.pushState(null, '', `#${id}`);
  }

  /** What another tab changed. */
  async reload(id: string): Promise<void> {
    const isShown = id === this.#conversation.id && !this.#answering.busy.has(id);
    const found = isShown ? await this.store.load(id) : undefined;
    if (found) this.#conversation = found;
    this.#show();
  }

  #goTo(conversation: Conversation): void {
    this.#conversation = conversation;
    this.#frame.setList(false);
    this.#show();
    this.#composer.focus();
  }

  #show(): void {
    const { id, title, settings } = this.#conversation;
    const path = pathOf(this.#conversation);
    const { busy } = this.#answering;
    this.#frame.show(title, path.length === 0);
    this.#thread.show(this.#conversation, busy.has(id));
    this.#composer.setBusy(busy.has(id));
    this.#composer.setThinking(settings.thinking);
    this.#composer.setRoom(tokensUsed(path), this.#model?.contextTokens);
    void this.store
      .heads()
      .then((heads) => this.#sidebar.show(heads, this.#conversation.id, this.#answering.busy));
  }

  #answerChanged(conversation: Conversation, message: AnswerMessage): void {
    const isShown = conversation === this.#conversation;
    this.#show();
    if (isShown && message.state === 'arriving') this.#thread.follow();
    announce(isShown ? spoken(message) : `${conversation.title}: the answer is there`);
  }

  #send(text: string): void {
    const conversation = this.#conversation;
    if (Object.keys(conversation.messages).length === 0) {
      if (!conversation.isNamed) conversation.title = titleFrom(text);
      history.pushState(null, '', `#${conversation.id}`);
    }
    this.#ask(pathOf(conversation).at(-1)?.id ?? null, text);
  }

  /** Adds a message of the person after `parent`, and asks for the answer. */
  #ask(parent: string | null, text: string): void {
    const message: UserMessage = { id: newId(), parent, role: 'user', created: Date.now(), text };
    add(this.#conversation, message);
    this.#answering.start(this.#conversation, message.id);
  }

  #edit({ parent }: UserMessage, text: string): void {
    this.#ask(parent, text);
    this.#composer.focus();
  }

  #again(message: AnswerMessage): void {
    const { id, parent, text, reasoning, calls } = message;
    // A failure without a word is no version worth keeping.
    if (text + reasoning === '' && calls.length === 0) delete this.#conversation.messages[id];
    this.#answering.start(this.#conversation, parent!);
    this.#composer.focus();
  }

  #choose(message: Message): void {
    choose(this.#conversation, message);
    this.#keep();
    this.#show();
    this.#thread.focusVersions(message);
  }

  #giveResults({ id }: AnswerMessage, results: readonly { call: ToolCall; text: string }[]): void {
    let parent = id;
    for (const { call, text } of results) {
      const message = { id: newId(), parent, role: 'tool', created: Date.now(), text } as const;
      add(this.#conversation, { ...message, callId: call.id, name: call.name });
      parent = message.id;
    }
    this.#answering.start(this.#conversation, parent);
    this.#composer.focus();
  }

  #set(settings: Settings): void {
    this.#conversation.settings = settings;
    this.#composer.setThinking(settings.thinking);
    if (pathOf(this.#conversation).length > 0) this.#keep();
  }

  #openSettings(): void {
    const contextTokens = this.#model?.contextTokens ?? 32_768;
    openSettings(this.#conversation.settings, contextTokens, (settings) => this.#set(settings));
  }

  #keep(): void {
    this.store.save(this.#conversation).catch(() => this.#notKept());
  }

  #notKept(): void {
    this.notice('This browser does not keep the conversation: its storage is full or closed.');
  }

  /** The conversation of a head, as it is now. */
  async #get({ id }: Head): Promise<Conversation | undefined> {
    if (id === this.#conversation.id) return this.#conversation;
    return this.#answering.conversation(id) ?? this.store.load(id);
  }

  async #rename(head: Head): Promise<void> {
    const title = await askText('Rename', { label: 'Title', value: head.title, button: 'Rename' });
    const conversation = await this.#get(head);
    if (title === undefined || conversation === undefined) return;
    conversation.title = title;
    conversation.isNamed = true;
    await this.store.save(conversation);
    this.#show();
  }

  async #remove({ id, title }: Head): Promise<void> {
    const about = `“${title}” is kept in this browser alone, so it cannot be brought back.`;
    if (!(await askWhether('Delete the conversation?', about, 'Delete'))) return;
    await this.#answering.stop(id);
    await this.store.remove(id);
    announce('Deleted');
    if (id === this.#conversation.id) this.start();
    else {
      this.#show();
      this.#composer.focus();
    }
  }

  async #saveAs(head: Head, format: 'markdown' | 'json'): Promise<void> {
    const conversation = await this.#get(head);
    if (conversation === undefined) return;
    if (format === 'json') {
      saveFile(fileNameOf(conversation, 'json'), 'application/json', toJson(conversation));
    } else saveFile(fileNameOf(conversation, 'md'), 'text/markdown', toMarkdown(conversation));
  }

  async #import(file: File): Promise<void> {
    try {
      const conversation = fromJson(await file.text());
      await this.store.save(conversation);
      announce(`${conversation.title} is there`);
      await this.open(conversation.id);
    } catch (error) {
      if (error instanceof TypeError) this.notice(`${file.name} was not imported: ${error.message}.`);
      else this.#notKept();
    }
  }

  #onKey(event: KeyboardEvent): void {
    if (event.defaultPrevented || document.querySelector('dialog[open], :popover-open')) return;
    if (event.key === 'Escape') {
      if (this.#frame.isListOpen) this.#frame.setList(false);
      else void this.#answering.stop(this.#conversation.id);
    }
    if (event.key.toLowerCase() === 'o' && event.shiftKey && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.start();
    }
  }
}

/** An answer that was arriving when its page was closed. */
function endWhatWasCutOff({ messages }: Conversation): void {
  for (const message of Object.values(messages)) {
    if (message.role === 'assistant' && message.state === 'arriving') message.state = 'stopped';
  }
}

/** Tokens of the last answer and all that stands before it. */
function tokensUsed(path: readonly Message[]): number | undefined {
  const last = path.findLast((message) => message.role === 'assistant');
  const { promptTokens, tokens } = last?.counts ?? {};
  return promptTokens === undefined ? undefined : promptTokens + tokens!;
}

const longestSpoken = 600;

/** What a screen reader is told of an answer: that it begins, and what it says once it is complete. */
function spoken({ state, text, fault, calls }: AnswerMessage): string {
  if (state === 'arriving') return 'Answering';
  if (fault) return fault.message;
  if (state === 'stopped') return 'Stopped';
  if (text.length > longestSpoken) return `The answer is there, ${text.split(/\s+/).length} words`;
  return calls.length > 0 ? `${text} Calls ${calls.map(({ name }) => name).join(', ')}` : `Answer: ${text}`;
}
