import { Command, CommanderError } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import type { CommandIo } from './command-io.js';
import { addCommands } from './commands/index.js';
import { type ExitCode, exitCode } from './exit-code.js';
import { describeFailure } from './failure.js';
import { Stop } from './stop.js';
import { Output } from './terminal/output.js';

/** What every command is given. */
export interface CommandContext {
  readonly io: CommandIo;
  readonly output: Output;
  readonly stop: Stop;
  /** For a command that did its work and found something wrong. */
  exit: ExitCode;
}

/**
 * Runs one command line (without the names of node and script) and gives its exit code. Nothing is thrown: what
 * goes wrong is told on stderr, and as an object on stdout where --json was given.
 */
export async function main(argv: readonly string[], io: CommandIo): Promise<ExitCode> {
  const stop = new Stop(io);
  const context: CommandContext = { io, output: new Output(io, stop.signal), stop, exit: exitCode.done };
  try {
    await createProgram(context).parseAsync(argv, { from: 'user' });
    if (stop.error) throw stop.error;
    return stop.reason === 'interrupt' && !stop.isExpected ? exitCode.interrupted : context.exit;
  } catch (error) {
    // Help and version are asked for, and thrown all the same; nobody is left to read about a closed pipe.
    const asked = error instanceof CommanderError && error.exitCode === 0;
    if (asked || stop.reason === 'closed') return exitCode.done;
    if (error instanceof CommanderError && error.code === 'commander.help') return exitCode.wrongCommand;
    const exit = await report(stop.error ?? error, argv, context.output);
    return stop.reason === 'interrupt' ? exitCode.interrupted : exit;
  } finally {
    stop.ignoreInterrupts();
  }
}

function createProgram(context: CommandContext): Command {
  const { io } = context;
  const program = new Command('pocketllm')
    .description('Runs large language models from GGUF files on one accelerator.')
    .version(manifest.version, '--version', 'show the version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      // Told once, in `report`.
      outputError: () => {},
    });
  addCommands(program, context);
  return program;
}

async function report(error: unknown, argv: readonly string[], output: Output): Promise<ExitCode> {
  const { code, message, details, exit } = describeFailure(error);
  const flags = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  output.note(message);
  if (flags.includes('--verbose') && error instanceof Error && error.stack) output.note(error.stack);
  if (flags.includes('--json')) await output.json({ error: { code, message, details } });
  return exit;
}
