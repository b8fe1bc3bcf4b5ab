import { runCommand } from './command/run-command.js';

process.exitCode = await runCommand(process.argv.slice(2), {
  cwd: process.cwd(),
  stdout: (line) => process.stdout.write(`${line}\n`),
  stderr: (line) => process.stderr.write(`${line}\n`),
});

// A backend that keeps threads or handles must not keep the command.
setTimeout(() => process.exit(), 2000).unref();
