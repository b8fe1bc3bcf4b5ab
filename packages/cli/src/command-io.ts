import type { Readable, Writable } from 'node:stream';

export type InputStream = Readable & { readonly isTTY?: boolean };
export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** The world around a command, so that a test can be one. */
export interface CommandIo {
  readonly stdin: InputStream;
  /** Only what was asked for: the model's text, or a listing. */
  readonly stdout: OutputStream;
  /** Everything else: status, reasoning, figures, errors. */
  readonly stderr: OutputStream;
  /** Where relative paths start, and whose dependencies may bring backends. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Calls `listener` on Ctrl-C or SIGTERM until the returned function is called; nobody listening, both kill. */
  onInterrupt(listener: () => void): () => void;
}

export const processIo = (): CommandIo => ({
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  cwd: process.cwd(),
  env: process.env,
  onInterrupt(listener) {
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, listener);
    return () => {
      for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, listener);
    };
  },
});
