import { PassThrough, Readable } from 'node:stream';
import type { CommandIo } from '../src/command-io.js';
import type { ExitCode } from '../src/exit-code.js';
import { main } from '../src/main-command.js';

export interface RunOptions {
  /** What standard input holds; nothing where absent. */
  readonly stdin?: string | Uint8Array | Readable;
  /** Which streams are terminals; none where absent. */
  readonly terminals?: readonly ('stdin' | 'stdout' | 'stderr')[];
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Called with what Ctrl-C does, whenever the command begins to listen for it. */
  readonly onListen?: (interrupt: () => void) => void;
  /** Called for each piece of standard output. */
  readonly onOutput?: () => void;
  /** Called for each piece of standard error. */
  readonly onStatus?: (text: string) => void;
  /** Called whenever a line is asked for. */
  readonly onPrompt?: () => void;
}

export interface RunResult {
  readonly code: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command within the test's process, and collects what it writes. */
export async function runCommand(argv: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const { stdin = '', terminals = [], cwd = process.cwd(), env = {}, onListen } = options;
  const input =
    stdin instanceof Readable ? stdin : Readable.from([Buffer.from(stdin)], { objectMode: false });
  const stdout = collector(() => options.onOutput?.());
  const stderr = collector((text) => {
    options.onStatus?.(text);
    if (text.includes('> ')) options.onPrompt?.();
  });
  const isTTY = (name: 'stdin' | 'stdout' | 'stderr') => ({ isTTY: terminals.includes(name) });
  const listeners = new Set<() => void>();
  const io: CommandIo = {
    stdin: Object.assign(input, isTTY('stdin')),
    stdout: Object.assign(stdout.stream, isTTY('stdout')),
    stderr: Object.assign(stderr.stream, isTTY('stderr')),
    cwd,
    env,
    onInterrupt(listener) {
      listeners.add(listener);
      onListen?.(() => {
        for (const each of [...listeners]) each();
      });
      return () => listeners.delete(listener);
    },
  };
  const code = await main(argv, io);
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function collector(onText: (text: string) => void) {
  const stream = new PassThrough();
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    onText(String(chunk));
  });
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') };
}
