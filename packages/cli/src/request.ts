import { createReadStream, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { PocketError } from '@pocketllm/abi';
import { usageError, wrongName } from './command-error.js';
import type { CommandIo } from './command-io.js';
import { inTreeModel } from './in-tree-model.js';
import type { ModelOption, PromptOptions } from './options.js';

/** Bytes of a prompt at most: more than any context holds, and little enough for memory. */
const largestPrompt = 2 ** 24;

/** What a command line asks to be run. */
export interface Request {
  /** As it was given; undefined means the model that comes with the command. */
  readonly model: string | undefined;
  /** As it was given; undefined where it stands in a file or comes through a pipe. */
  readonly prompt: string | undefined;
}

/**
 * Reads `[model] [prompt]` beside --model, --prompt and --prompt-file. One argument alone is the model where it
 * is a file that exists or ends in .gguf, else the prompt; a flag for the one makes it the other.
 */
export function readRequest(
  given: readonly string[],
  { model, prompt, promptFile }: ModelOption & PromptOptions,
  cwd: string,
): Request {
  const [first, second] = given;
  const isModel =
    second !== undefined ||
    (prompt ?? promptFile) !== undefined ||
    (model === undefined && first !== undefined && looksLikeModel(first, cwd));
  const promptArgument = isModel ? second : first;
  onlyOne('prompt', prompt, promptFile, promptArgument);
  return {
    model: onlyOne('model', model, isModel ? first : undefined),
    prompt: prompt ?? promptArgument,
  };
}

/** The only one that is given. */
export function onlyOne(what: string, ...values: readonly (string | undefined)[]): string | undefined {
  const given = values.filter((value) => value !== undefined);
  if (given.length > 1) throw usageError(`the ${what} is given twice: by a flag, an argument or a file.`);
  return given[0];
}

/** The path to open. A wrong command where nothing is there. */
export function modelPath(named: string | undefined, cwd: string): string {
  if (named === undefined) return inTreeModel();
  const path = resolve(cwd, named);
  if (existsSync(path)) return path;
  throw wrongName(new PocketError('MODEL_NOT_FOUND', { path: named, reason: 'no such file' }));
}

/**
 * The prompt of a file (`-` or none for standard input), as UTF-8 text without the line feed at its end. A
 * wrong command where there is none.
 */
export async function readPromptFile(file: string | undefined, io: CommandIo): Promise<string> {
  const fromInput = file === undefined || file === '-';
  if (fromInput && io.stdin.isTTY) {
    throw usageError(
      'there is no prompt: give it as an argument, by --prompt or --prompt-file, or in a pipe.',
    );
  }
  const name = fromInput ? 'standard input' : file;
  const bytes = await readAll(fromInput ? io.stdin : createReadStream(resolve(io.cwd, file)), name);
  const text = decode(bytes, name).replace(/\r?\n$/, '');
  if (text === '') throw usageError(`there is no prompt: ${name} is empty.`);
  return text;
}

const looksLikeModel = (argument: string, cwd: string) =>
  argument.endsWith('.gguf') || existsSync(resolve(cwd, argument));

async function readAll(stream: AsyncIterable<Uint8Array>, name: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > largestPrompt) break;
    }
  } catch (error) {
    throw usageError(`${name} cannot be read: ${(error as Error).message}.`);
  }
  if (size > largestPrompt)
    throw usageError(`${name} holds more than ${largestPrompt} bytes: no prompt is that long.`);
  return Buffer.concat(chunks);
}

function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw usageError(`${name} is not UTF-8 text.`);
  }
}
