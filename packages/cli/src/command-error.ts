import type { PocketError } from '@pocketllm/abi';
import { type ExitCode, exitCode } from './exit-code.js';

/** A failure of the command itself, not of the library. The message says what is wrong and what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';

  constructor(
    readonly code: string,
    message: string,
    readonly exit: ExitCode,
    readonly details: object = {},
  ) {
    super(message);
  }
}

/** The command was wrong: a flag, a value, or the way they stand together. */
export const usageError = (message: string) =>
  new CommandError('USAGE', `USAGE: ${message}`, exitCode.wrongCommand);

/** The command was wrong: it names something that is not there. */
export const wrongName = ({ code, message, details }: PocketError) =>
  new CommandError(code, message, exitCode.wrongCommand, details);
