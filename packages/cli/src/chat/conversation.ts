import type { ChatMessage, GenerationResult } from '@pocketllm/runtime';

/** What was said so far, and how the model is to answer. */
export class Conversation {
  #turns: readonly ChatMessage[] = [];

  constructor(
    public system: string | undefined,
    public think: boolean,
  ) {}

  /** What the model is given to answer `question`. */
  messagesFor(question: string): ChatMessage[] {
    const system: ChatMessage[] = this.system === undefined ? [] : [{ role: 'system', content: this.system }];
    return [...system, ...this.#turns, { role: 'user', content: question }];
  }

  /** Keeps a question with its answer; an answer that was stopped before its first word is dropped with it. */
  keep(question: string, { text, reasoning }: GenerationResult): void {
    if (text === '') return;
    const answer: ChatMessage = { role: 'assistant', content: text };
    if (reasoning !== '') answer.reasoning_content = reasoning;
    this.#turns = [...this.#turns, { role: 'user', content: question }, answer];
  }

  reset(): void {
    this.#turns = [];
  }
}
