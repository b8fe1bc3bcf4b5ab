import { CommandError } from './command-error.js';
import type { CommandIo } from './command-io.js';
import { exitCode } from './exit-code.js';

/**
 * - `interrupt`: Ctrl-C or SIGTERM, once; a second one finds nobody listening and kills the process
 * - `closed`: nobody reads standard output any more
 * - `broken`: standard output cannot be written
 */
export type StopReason = 'interrupt' | 'closed' | 'broken';

/** Why work should end before it is done. */
export class Stop {
  readonly #controller = new AbortController();
  readonly #stopListening: () => void;
  reason: StopReason | undefined;
  /** Whether an interrupt is how the command ends when all is well. */
  isExpected = false;
  /** What is wrong with a broken standard output. */
  error: CommandError | undefined;

  constructor(io: CommandIo) {
    this.#stopListening = io.onInterrupt(() => this.#end('interrupt'));
    io.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return this.#end('closed');
      const message = `OUTPUT_FAILED: standard output cannot be written: ${error.message}. Check the disk or pipe behind it.`;
      this.error ??= new CommandError('OUTPUT_FAILED', message, exitCode.failed);
      this.#end('broken');
    });
    // With nobody to read them, messages are lost and the work goes on.
    io.stderr.on('error', () => {});
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Leaves Ctrl-C to someone else. */
  ignoreInterrupts(): void {
    this.#stopListening();
  }

  #end(reason: StopReason): void {
    this.reason ??= reason;
    this.ignoreInterrupts();
    this.#controller.abort();
  }
}
