import { architectures } from '@pocketllm/runtime';
import type { Command } from 'commander';
import type { CommandContext } from '../main-command.js';
import { addJsonOption, type JsonOption } from '../options.js';
import { table } from '../terminal/table.js';

export function addArchitectures(program: Command, { output }: CommandContext): void {
  const command = program
    .command('architectures')
    .summary('families of models that run')
    .description('Lists the architectures that run: the values of general.architecture in a GGUF file.');
  addJsonOption(command).action(async () => {
    const listing = [...architectures.values()].map(({ name, models }) => ({ name, models }));
    if (command.opts<JsonOption>().json) return output.json(listing);
    return output.lines(table(listing.map(({ name, models }) => [name, models])));
  });
}
