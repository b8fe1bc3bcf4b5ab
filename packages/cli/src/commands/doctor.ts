import type { Command } from 'commander';
import { checkAnswer } from '../doctor/check-answer.js';
import { type Check, checkBackends, checkMemory, checkNode, checkProcessor } from '../doctor/checks.js';
import { exitCode } from '../exit-code.js';
import type { CommandContext } from '../main-command.js';
import { addJsonOption, type JsonOption } from '../options.js';
import { table } from '../terminal/table.js';

export function addDoctor(program: Command, context: CommandContext): void {
  const command = program
    .command('doctor')
    .summary('check that everything works here')
    .description(
      'Checks Node, processor, memory and backends, and has the model of this package answer a question.',
    );
  addJsonOption(command).action(async () => {
    const checks = [
      checkNode(),
      checkProcessor(),
      checkMemory(),
      ...(await checkBackends(context.io.cwd)),
      await checkAnswer(context),
    ];
    if (checks.some(({ status }) => status === 'fail')) context.exit = exitCode.failed;
    if (command.opts<JsonOption>().json) return context.output.json(checks);
    return context.output.lines(table(checks.map(row)));
  });
}

const row = ({ name, status, found, advice }: Check) => [
  status,
  name,
  advice === undefined ? found : `${found}. ${advice}`,
];
