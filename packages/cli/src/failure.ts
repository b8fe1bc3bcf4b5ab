import { isPocketError } from '@pocketllm/abi';
import { CommanderError } from 'commander';
import { CommandError, usageError } from './command-error.js';
import { type ExitCode, exitCode } from './exit-code.js';

/** An error as it is shown, and what the command ends with because of it. */
export interface Failure {
  readonly code: string;
  /** One line: `CODE: what is wrong. What to do next.` */
  readonly message: string;
  readonly details: object;
  readonly exit: ExitCode;
}

export function describeFailure(error: unknown): Failure {
  if (error instanceof CommanderError) {
    const reason = oneLine(error.message)
      .replace(/^error: /, '')
      .replace(/\.$/, '');
    return describeFailure(usageError(`${reason}. \`pocketllm help\` shows what there is.`));
  }
  if (error instanceof CommandError || isPocketError(error)) {
    const { code, details } = error;
    const exit = error instanceof CommandError ? error.exit : (exits[code] ?? exitCode.failed);
    return { code, message: oneLine(error.message), details, exit };
  }
  const reason = oneLine(error instanceof Error ? error.message : String(error));
  const message = `INTERNAL: ${reason}. This should not happen: run again with --verbose and report it.`;
  return { code: 'INTERNAL', message, details: {}, exit: exitCode.failed };
}

/** Codes that end in something else than 1: a backend is named wrongly, or the user wants no more. */
const exits: Readonly<Record<string, ExitCode>> = {
  BACKEND_NOT_FOUND: exitCode.wrongCommand,
  BACKEND_AMBIGUOUS: exitCode.wrongCommand,
  CANCELLED: exitCode.interrupted,
};

const oneLine = (text: string) => text.trim().replace(/\s*\n\s*/g, ' ');
