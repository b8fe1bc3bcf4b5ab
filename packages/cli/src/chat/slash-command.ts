import type { Conversation } from './conversation.js';

interface SlashCommand {
  readonly usage: string;
  readonly summary: string;
  /** Does it, and says what was done; undefined leaves the chat. */
  run(conversation: Conversation, argument: string): string | undefined;
}

const slashCommands: Readonly<Record<string, SlashCommand>> = {
  help: {
    usage: '/help',
    summary: 'show this list',
    run: () => `${listing()}\nA line that starts with a space is never a command.`,
  },
  reset: {
    usage: '/reset',
    summary: 'forget the conversation, keep the system prompt',
    run(conversation) {
      conversation.reset();
      return 'The conversation starts anew.';
    },
  },
  system: {
    usage: '/system [text]',
    summary: 'set the system prompt; without a text, take it away',
    run(conversation, argument) {
      conversation.system = argument === '' ? undefined : argument;
      return argument === '' ? 'There is no system prompt now.' : 'The system prompt is set.';
    },
  },
  think: thinking('think', true),
  'no-think': thinking('no-think', false),
  exit: { usage: '/exit', summary: 'leave (so does the end of the input)', run: () => undefined },
};

/** Runs a line that is a command. Gives the words to show, or undefined where it leaves the chat. */
export function runSlashCommand(line: string, conversation: Conversation): string | undefined {
  const [, name, argument] = /^\/(\S*)\s*(.*)$/s.exec(line.trimEnd()) ?? [];
  if (name === undefined || !Object.hasOwn(slashCommands, name)) {
    return `There is no command ${line.split(/\s/)[0]}; /help lists those there are.`;
  }
  return slashCommands[name]!.run(conversation, argument ?? '');
}

export const isSlashCommand = (line: string): boolean => line.startsWith('/');

function thinking(name: string, think: boolean): SlashCommand {
  const words = think ? 'thinks before it answers' : 'answers at once';
  return {
    usage: `/${name}`,
    summary: `the model ${words}, where its template can`,
    run(conversation) {
      conversation.think = think;
      return `The model ${words} now.`;
    },
  };
}

const listing = () =>
  Object.values(slashCommands)
    .map(({ usage, summary }) => `  ${usage.padEnd(16)}${summary}`)
    .join('\n');
