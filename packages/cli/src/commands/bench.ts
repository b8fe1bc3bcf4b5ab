import { type Command, InvalidArgumentError } from 'commander';
import type { BenchTest } from '../bench/bench-steps.js';
import { benchJson, benchText } from '../bench/bench-table.js';
import { runBench } from '../bench/run-bench.js';
import { usageError } from '../command-error.js';
import { chooseBackend } from '../installed-backends.js';
import type { CommandContext } from '../main-command.js';
import {
  addBackendOptions,
  addJsonOption,
  addModelOption,
  type CommonOptions,
  type DeviceOptions,
  given,
  integerFrom,
  type JsonOption,
  type ModelOption,
} from '../options.js';
import { modelPath, onlyOne } from '../request.js';

interface BenchOptions extends CommonOptions, JsonOption, ModelOption, Omit<DeviceOptions, 'maxModelLen'> {
  readonly promptTokens: readonly number[];
  readonly answerTokens: readonly number[];
  readonly depths: readonly number[];
  readonly batches: readonly number[];
  readonly repeats: number;
}

const help = `
Runs the steps of the model on random tokens, without sampling. "prompt" reads so many tokens in steps of at most
256 rows; "answer" writes them one by one, for as many sequences as the batch has together. "depth" is how much stands
in the cache before. Of several repeats the median counts.

Beside each rate stands how much the steps read and compute by what the ops declare at least, and what part that is of
the best that one matrix reached on the device in the same run: a row times a matrix of 256 MiB for reading, 256 rows
times a matrix in the format of most weights for computing. What needs more positions than the model was made for is
left out.

  pocketllm bench model.gguf
  pocketllm bench model.gguf --prompt-tokens 512,2048 --depths 0,4096 --batches 1,8 --json`;

export function addBench(program: Command, context: CommandContext): void {
  const command = program
    .command('bench')
    .summary('how fast a model runs here, and how near that is to what the device can do')
    .description('Measures prompts and answers of a model on a device, beside what the device can do.')
    .argument('[model]', 'the GGUF file; the one that comes with PocketLLM if left out');
  addModelOption(command)
    .option('--prompt-tokens <list>', 'lengths of prompts; 0 for none', counts(0), [128, 512])
    .option('--answer-tokens <list>', 'lengths of answers; 0 for none', counts(0), [32])
    .option('--depths <list>', 'tokens that stand before', counts(0), [0])
    .option('--batches <list>', 'answers at the same time', counts(1), [1])
    .option('--repeats <n>', 'how often each is measured', integerFrom(1), 3);
  addJsonOption(addBackendOptions(command))
    .addHelpText('after', help)
    .action((model?: string) => bench(model, command.opts<BenchOptions>(), context));
}

async function bench(model: string | undefined, options: BenchOptions, { io, output, stop }: CommandContext) {
  const path = modelPath(onlyOne('model', options.model, model), io.cwd);
  const tests = testsOf(options);
  if (tests.length === 0) throw usageError('there is nothing to measure: all lengths are 0.');
  const plugin = await chooseBackend(options.backend, io.cwd, (line) => output.note(line));
  const { device, threads, repeats, kvCacheDtype: cacheFormat = 'f16' } = options;
  const progress = output.progress('Measuring');
  const report = await runBench({
    ...given({ device, threads }),
    path,
    plugin,
    cacheFormat,
    tests,
    repeats,
    signal: stop.signal,
    onProgress: (done, total) => progress.update(done, total),
    onLeftOut: ({ kind, tokens, depth }, most) =>
      output.note(
        `${kind} of ${tokens} behind ${depth} is left out: the model was made for ${most} positions.`,
      ),
  }).finally(() => progress.end());
  if (options.json) return output.json(benchJson(report));
  output.note(`${report.model.name} on ${report.backend}, ${report.deviceName}`);
  await output.lines(benchText(report));
}

/** Every prompt and every answer at every depth, the answers in every batch too. */
export function testsOf({
  promptTokens,
  answerTokens,
  depths,
  batches,
}: Pick<BenchOptions, 'promptTokens' | 'answerTokens' | 'depths' | 'batches'>): BenchTest[] {
  const prompts = promptTokens.flatMap((tokens) =>
    depths.map((depth): BenchTest => ({ kind: 'prompt', tokens, depth, sequences: 1 })),
  );
  const answers = answerTokens.flatMap((tokens) =>
    depths.flatMap((depth) =>
      batches.map((sequences): BenchTest => ({ kind: 'answer', tokens, depth, sequences })),
    ),
  );
  return [...prompts, ...answers].filter(({ tokens }) => tokens > 0);
}

/** `128,512`. */
function counts(least: number): (text: string) => readonly number[] {
  const parse = integerFrom(least);
  return (text) => {
    const parts = text.split(',').map((part) => part.trim());
    if (parts.includes('')) throw new InvalidArgumentError('It takes integers with commas between them');
    return parts.map(parse);
  };
}
