import { PocketError } from '@pocketllm/abi';
import type { Model } from '@pocketllm/runtime';
import type { Command } from 'commander';
import { type ChatInput, pipeInput, terminalInput } from '../chat/chat-input.js';
import { Conversation } from '../chat/conversation.js';
import { isSlashCommand, runSlashCommand } from '../chat/slash-command.js';
import { exitCode } from '../exit-code.js';
import { describeFailure } from '../failure.js';
import type { CommandContext } from '../main-command.js';
import { openModel } from '../open-model.js';
import {
  addDeviceOptions,
  addGenerationOptions,
  addModelOption,
  type CommonOptions,
  type DeviceOptions,
  type GenerationFlags,
  generationOptions,
  given,
  type ModelOption,
} from '../options.js';
import { printAnswer, timingsText } from '../print-answer.js';
import { onlyOne } from '../request.js';

interface ChatFlags extends CommonOptions, ModelOption, DeviceOptions, GenerationFlags {}

const help = `
Each line is a message; /help lists the commands. Ctrl-C stops an answer, twice it leaves. Lines can come through
a pipe, too: answers go to standard output, all else to standard error.`;

export function addChat(program: Command, context: CommandContext): void {
  const command = program
    .command('chat')
    .summary('talk with a model')
    .description('Talks with a model, line by line.')
    .argument('[model]', 'the GGUF file; without it, the model that comes with PocketLLM')
    .addHelpText('after', help);
  addDeviceOptions(addGenerationOptions(addModelOption(command))).action((model?: string) =>
    chat(model, command.opts<ChatFlags>(), context),
  );
}

async function chat(argument: string | undefined, flags: ChatFlags, context: CommandContext): Promise<void> {
  await using model = await openModel(onlyOne('model', flags.model, argument), flags, context);
  if (!model.info.hasTemplate) {
    throw new PocketError('TEMPLATE_FAILED', { reason: 'the file has no chat template' });
  }
  await new ChatLoop(model, flags, context).run();
}

class ChatLoop {
  readonly #conversation: Conversation;
  readonly #interactive: boolean;
  readonly #input: ChatInput;
  #answer: AbortController | undefined;
  /** Ctrl-C without a line in between. */
  #interrupts = 0;
  #stopListening = () => {};

  constructor(
    private readonly model: Model,
    private readonly flags: ChatFlags,
    private readonly context: CommandContext,
  ) {
    const { io } = context;
    this.#conversation = new Conversation(flags.system, flags.think ?? true);
    this.#interactive = io.stdin.isTTY === true && io.stderr.isTTY === true;
    this.#input = this.#interactive ? terminalInput(io, () => this.#interrupt()) : pipeInput(io.stdin);
  }

  async run(): Promise<void> {
    const { io, output, stop } = this.context;
    stop.ignoreInterrupts();
    this.#stopListening = io.onInterrupt(() => this.#interrupt());
    if (this.#interactive) output.note(`${this.model.info.name}. /help lists the commands, /exit leaves.`);
    try {
      while (!stop.signal.aborted && this.context.exit === exitCode.done) {
        const line = await this.#input.next();
        if (line === undefined) {
          // Ctrl-D leaves the cursor behind the prompt.
          if (this.#interactive) output.note('');
          break;
        }
        this.#interrupts = 0;
        if (isSlashCommand(line)) {
          const words = runSlashCommand(line, this.#conversation);
          if (words === undefined) break;
          output.note(words);
        } else if (line.trim() !== '') {
          await this.#ask(line.trim());
        }
      }
    } finally {
      this.#stopListening();
      await this.#input.close();
    }
  }

  async #ask(question: string): Promise<void> {
    const { output, stop } = this.context;
    this.#answer = new AbortController();
    try {
      const generation = this.model.chat(this.#conversation.messagesFor(question), {
        ...generationOptions(this.flags),
        ...given({ thinkingBudget: this.flags.thinkingBudget }),
        enableThinking: this.#conversation.think,
        signal: AbortSignal.any([stop.signal, this.#answer.signal]),
      });
      const result = await printAnswer(generation, output);
      this.#conversation.keep(question, result);
      output.note(timingsText(result));
    } catch (error) {
      if (!this.#interactive) throw error;
      output.note(`${describeFailure(error).message} /reset starts anew.`);
    } finally {
      this.#answer = undefined;
    }
  }

  /** Stops the answer; the second time, or where nobody types, leaves. */
  #interrupt(): void {
    this.#interrupts++;
    this.#answer?.abort();
    if (this.#interrupts > 1 || !this.#interactive) {
      this.context.exit = exitCode.interrupted;
      // Should anything not end now, the next Ctrl-C kills.
      this.#stopListening();
      void this.#input.close();
    } else if (!this.#answer) {
      this.context.output.note('\nCtrl-C again, or /exit, leaves.');
    }
  }
}
