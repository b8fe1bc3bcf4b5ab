import { openGgufFile } from '@pocketllm/runtime/node';
import type { Command } from 'commander';
import { usageError } from '../command-error.js';
import { reportModel } from '../inspect/model-report.js';
import { reportText } from '../inspect/report-text.js';
import type { CommandContext } from '../main-command.js';
import { addJsonOption, addModelOption, type JsonOption, type ModelOption } from '../options.js';
import { modelPath, onlyOne } from '../request.js';

export function addInspect(program: Command, { io, output }: CommandContext): void {
  const command = program
    .command('inspect')
    .summary('what a model file holds')
    .description(
      'Prints the header of a model file: keys, tensors, tokenizer, and the memory that running it takes.',
    )
    .argument('[model]', 'the GGUF file; of a split set, its first part');
  addJsonOption(addModelOption(command)).action(async (argument?: string) => {
    const options = command.opts<ModelOption & JsonOption>();
    const named = onlyOne('model', options.model, argument);
    if (named === undefined) throw usageError('there is no model: name a GGUF file.');
    const model = await openGgufFile(modelPath(named, io.cwd));
    const report = reportModel(model);
    await model.close();
    return options.json ? output.json(report) : output.lines(reportText(report));
  });
}
