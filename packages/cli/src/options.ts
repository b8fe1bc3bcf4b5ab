import { cacheFormats } from '@pocketllm/abi';
import { type Command, InvalidArgumentError, Option } from 'commander';

// Every flag that more than one command has, spelled once. Values are checked here, so that a wrong one is a
// wrong command and never reaches the library.

export interface CommonOptions {
  readonly verbose?: true;
}

export interface JsonOption {
  readonly json?: true;
}

export interface ModelOption {
  readonly model?: string;
}

export interface PromptOptions {
  readonly prompt?: string;
  readonly promptFile?: string;
}

/** Which device runs the model, and how much of it is set aside. */
export interface DeviceOptions {
  readonly backend?: string;
  readonly device?: string;
  readonly threads?: number;
  readonly maxModelLen?: number;
  readonly kvCacheDtype?: (typeof cacheFormats)[number];
}

export interface GenerationFlags {
  readonly system?: string;
  readonly think?: boolean;
  readonly thinkingBudget?: number;
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly topK?: number;
  readonly topP?: number;
  readonly minP?: number;
  readonly seed?: number;
  readonly stop?: readonly string[];
  readonly ignoreEos?: true;
}

export const addCommonOptions = (command: Command): Command =>
  command.option('--verbose', 'say more on stderr; show where errors come from');

export const addJsonOption = (command: Command): Command =>
  command.option('--json', 'print one JSON value for programs');

export const addModelOption = (command: Command): Command =>
  command.option('--model <file>', 'the GGUF file (also the first argument)');

/** The device, and how it works. */
export const addBackendOptions = (command: Command): Command =>
  command
    .option('--backend <which>', 'a backend by its name, its package, or a path that starts with ./ or /')
    .option('--device <id>', 'one of `pocketllm devices`; the fastest of the backend if left out')
    .option(
      '--threads <n>',
      'threads to compute with; all that this process may use if left out',
      integerFrom(1),
    )
    .addOption(
      new Option('--kv-cache-dtype <format>', 'how keys and values are kept; f16 if left out').choices(
        cacheFormats,
      ),
    );

export const addDeviceOptions = (command: Command): Command =>
  addBackendOptions(command).option(
    '--max-model-len <n>',
    'tokens of context to make room for',
    integerFrom(1),
  );

export const addGenerationOptions = (command: Command): Command =>
  command
    .option('--system <text>', 'system prompt, for models with a chat template')
    .option('--think', 'let the model think first, where its template can (the default)')
    .option('--no-think', 'ask for the answer at once')
    .option('--thinking-budget <n>', 'tokens to think for at most; then comes the answer', integerFrom(0))
    .option(
      '--max-tokens <n>',
      'tokens to generate at most; as many as the context holds if left out',
      integerFrom(1),
    )
    .option('--temperature <x>', 'how freely to choose; 0 always takes the likeliest token', numberFrom(0))
    .option('--top-k <n>', 'choose among the n likeliest tokens; 0 for all', integerFrom(0))
    .option('--top-p <x>', 'choose among tokens that make up this share; 1 for all', numberFrom(0, 1))
    .option('--min-p <x>', 'choose among tokens this likely, relative to the likeliest', numberFrom(0, 1))
    .option('--seed <n>', 'the same seed gives the same answer', integerFrom(-Number.MAX_SAFE_INTEGER))
    .option('--stop <text>', 'end before this text; may be given several times', collect)
    .option('--ignore-eos', 'go on past the end of the answer');

/** What is left out stays out: the library and the model's file have their own defaults. */
export function generationOptions(flags: GenerationFlags) {
  const { maxTokens, temperature, topK, topP, minP, seed, stop, ignoreEos } = flags;
  return given({ maxTokens, temperature, topK, topP, minP, seed, stop, ignoreEos });
}

/** An object without the fields that are undefined. */
export function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

export function integerFrom(least: number): (text: string) => number {
  return numberWhere(
    `It takes an integer of at least ${least}`,
    (value) => Number.isSafeInteger(value) && value >= least,
  );
}

export function numberFrom(least: number, most = Number.MAX_VALUE): (text: string) => number {
  const range = most === Number.MAX_VALUE ? `of at least ${least}` : `from ${least} to ${most}`;
  return numberWhere(`It takes a number ${range}`, (value) => value >= least && value <= most);
}

function numberWhere(expected: string, accepts: (value: number) => boolean): (text: string) => number {
  return (text) => {
    // Number('') is 0, Number('0x10') is 16: neither is what was meant.
    const value = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
    if (!accepts(value)) throw new InvalidArgumentError(expected);
    return value;
  };
}

/** For a flag that may be given several times. */
export const collect = (text: string, earlier: readonly string[] = []): readonly string[] => [
  ...earlier,
  text,
];
