import { PocketError } from '@pocketllm/abi';
import type { ChatMessage, GenerationResult, Model } from '@pocketllm/runtime';
import type { Command } from 'commander';
import { usageError } from '../command-error.js';
import type { CommandContext } from '../main-command.js';
import { openModel } from '../open-model.js';
import {
  addDeviceOptions,
  addGenerationOptions,
  addJsonOption,
  addModelOption,
  type CommonOptions,
  type DeviceOptions,
  type GenerationFlags,
  generationOptions,
  given,
  type JsonOption,
  type ModelOption,
  type PromptOptions,
} from '../options.js';
import { printAnswer, timingsText } from '../print-answer.js';
import { readPromptFile, readRequest } from '../request.js';

interface RunOptions
  extends CommonOptions,
    JsonOption,
    ModelOption,
    PromptOptions,
    DeviceOptions,
    GenerationFlags {
  readonly raw?: true;
  readonly parseSpecial?: true;
}

const help = `
One argument alone is the model where it is a file or ends in .gguf, else the prompt. Without a model, the one
that comes with PocketLLM answers. Without a prompt, standard input is it; one line feed at its end is dropped.

The answer goes to standard output, all else to standard error. Ctrl-C ends the answer where it is.

  pocketllm run "What is the capital of Norway?"
  pocketllm run model.gguf "Why is the sky blue?" --temperature 0
  cat letter.txt | pocketllm run --model model.gguf --system "Answer politely."`;

export function addRun(program: Command, context: CommandContext): void {
  const command = program
    .command('run')
    .summary('answer one prompt')
    .description('Answers one prompt, through the chat template of the model where it has one.')
    .argument('[model]', 'the GGUF file')
    .argument('[prompt]', 'what to ask');
  addModelOption(command)
    .option('--prompt <text>', 'what to ask (also the second argument)')
    .option('-f, --prompt-file <file>', 'what to ask, in a file; - for standard input')
    .option('--raw', 'continue the prompt as it stands, without the chat template')
    .option('--parse-special', 'with --raw: special tokens written in the prompt become those tokens');
  addJsonOption(addDeviceOptions(addGenerationOptions(command)))
    .addHelpText('after', help)
    .action((model?: string, prompt?: string) =>
      run(
        [model, prompt].filter((argument) => argument !== undefined),
        command.opts<RunOptions>(),
        context,
      ),
    );
}

async function run(given: readonly string[], options: RunOptions, context: CommandContext): Promise<void> {
  const { io, output } = context;
  if (options.raw && options.system !== undefined) {
    throw usageError('--system needs the chat template, which --raw turns off.');
  }
  const request = readRequest(given, options, io.cwd);
  const prompt = request.prompt ?? (await readPromptFile(options.promptFile, io));
  await using model = await openModel(request.model, options, context);
  const generation = start(model, prompt, options, context);
  if (!options.json) {
    output.note(timingsText(await printAnswer(generation, output)));
    return;
  }
  const progress = output.progress('Answering');
  const result = await generation.result().finally(() => progress.end());
  output.note(timingsText(result));
  await output.json(report(result, model));
}

/** Starts the answer: a chat where the template is applied, else a continuation. */
function start(model: Model, prompt: string, options: RunOptions, { output, stop }: CommandContext) {
  const settings = { ...generationOptions(options), signal: stop.signal };
  if (options.raw || !model.info.hasTemplate) {
    if (options.system !== undefined) {
      const expected = 'a model with a chat template';
      throw new PocketError('REQUEST_INVALID', { field: 'system', expected, found: 'none in this file' });
    }
    if (!options.raw) output.note('The model has no chat template: the prompt is continued as with --raw.');
    return model.complete(prompt, { ...settings, parseSpecial: options.parseSpecial ?? false });
  }
  return model.chat(conversation(options.system, prompt), {
    ...settings,
    ...given({ enableThinking: options.think, thinkingBudget: options.thinkingBudget }),
  });
}

function conversation(system: string | undefined, prompt: string): ChatMessage[] {
  const user: ChatMessage = { role: 'user', content: prompt };
  return system === undefined ? [user] : [{ role: 'system', content: system }, user];
}

function report(
  { text, reasoning, tokens, promptTokens, finishReason, timings }: GenerationResult,
  { info }: Model,
) {
  const { backend, device } = info;
  return { text, reasoning, tokens, promptTokens, finishReason, backend, device, timings };
}
