import { createInterface } from 'node:readline';
import { StringDecoder } from 'node:string_decoder';
import { usageError } from '../command-error.js';
import type { CommandIo, InputStream } from '../command-io.js';

/** Where the lines of a conversation come from. */
export interface ChatInput {
  /** The next line, without its end; undefined where the input ends or was closed. */
  next(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Characters of one line at most, so that an endless line ends in an error and not in memory. */
const longestLine = 2 ** 24;

/** Lines typed at a terminal, with editing and history. `onInterrupt` is called for Ctrl-C. */
export function terminalInput(io: CommandIo, onInterrupt: () => void): ChatInput {
  const readline = createInterface({ input: io.stdin, output: io.stderr, prompt: '> ' });
  readline.on('SIGINT', onInterrupt);
  const lines = readline[Symbol.asyncIterator]();
  return {
    next() {
      readline.prompt();
      return nextOf(lines);
    },
    async close() {
      readline.close();
    },
  };
}

/** Lines of a pipe or file. */
export function pipeInput(stdin: InputStream): ChatInput {
  const lines = splitLines(stdin);
  let closed = false;
  return {
    // A stream that is destroyed while it is read ends in an error.
    next: () => nextOf(lines).catch((error) => (closed ? undefined : Promise.reject(error))),
    async close() {
      closed = true;
      stdin.destroy();
    },
  };
}

async function nextOf(lines: AsyncIterator<string>): Promise<string | undefined> {
  const { value, done } = await lines.next();
  return done ? undefined : value;
}

async function* splitLines(stdin: AsyncIterable<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of stdin) {
    const [first, ...others] = decoder.write(Buffer.from(chunk)).split('\n');
    rest += first;
    for (const next of others) {
      yield withoutReturn(rest);
      rest = next;
    }
    if (rest.length > longestLine) throw usageError(`a line of the input is longer than ${longestLine}.`);
  }
  rest += decoder.end();
  if (rest !== '') yield withoutReturn(rest);
  return undefined;
}

/** Without what a Windows line end leaves: the line feed may come in a later chunk. */
const withoutReturn = (line: string) => (line.endsWith('\r') ? line.slice(0, -1) : line);
