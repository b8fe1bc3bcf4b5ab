import type { ServerOptions } from '@pocketllm/server';
import type { Command } from 'commander';
import { CommandError, usageError } from '../command-error.js';
import { exitCode } from '../exit-code.js';
import type { CommandContext } from '../main-command.js';
import { type CrowdOptions, openModel } from '../open-model.js';
import {
  addDeviceOptions,
  addModelOption,
  type CommonOptions,
  collect,
  type DeviceOptions,
  given,
  integerFrom,
  type ModelOption,
} from '../options.js';
import { onlyOne } from '../request.js';

interface ServeOptions extends CommonOptions, ModelOption, DeviceOptions, CrowdOptions {
  readonly host: string;
  readonly port: number;
  readonly apiKey?: string;
  readonly modelName?: string;
  readonly corsOrigin?: readonly string[];
  readonly maxQueue?: number;
  readonly grace: number;
}

const help = `
Answers at http://HOST:PORT/v1 as OpenAI's API does: chat completions, completions, responses. Beside them are
/health, /ready, /metrics and /openapi.json. docs/reference/openai-api.md lists every field.

Only this machine reaches the server, unless --host names another address; then an API key is needed. The key is
better put in POCKETLLM_API_KEY than on the command line, where other users of the machine see it.

Ctrl-C and SIGTERM let running answers finish; a second one ends at once.

  pocketllm serve
  pocketllm serve model.gguf --port 8080
  POCKETLLM_API_KEY=... pocketllm serve model.gguf --host 0.0.0.0`;

export function addServe(program: Command, context: CommandContext): void {
  const command = program
    .command('serve')
    .summary("answer over HTTP, in the shape of OpenAI's API")
    .description("Answers over HTTP, in the shape of OpenAI's API.")
    .argument('[model]', 'the GGUF file; the one that comes with PocketLLM if left out');
  addModelOption(command)
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--port <n>', 'the port to listen on; 0 for any that is free', integerFrom(0), 8000)
    .option('--api-key <key>', 'what clients must send as a bearer token (also POCKETLLM_API_KEY)')
    .option('--model-name <name>', "what clients call the model; the file's own name if left out")
    .option(
      '--cors-origin <origin>',
      'a web page that may call the server; may be given several times',
      collect,
    )
    .option(
      '--max-num-seqs <n>',
      'answers to compute at the same time, at most 256; 32 if left out',
      integerFrom(1),
    )
    .option(
      '--max-queue <n>',
      'requests that may wait beside as many, more are refused; 64 if left out',
      integerFrom(0),
    )
    .option(
      '--kv-cache-memory-bytes <n>',
      'room for keys and values of all answers; if left out, for one of --max-model-len, or 512 tokens of each up to 256 MiB',
      integerFrom(1),
    )
    .option('--grace <seconds>', 'how long running answers may take at the end', integerFrom(0), 30);
  addDeviceOptions(command)
    .addHelpText('after', help)
    .action((model?: string) => serve(model, command.opts<ServeOptions>(), context));
}

async function serve(
  named: string | undefined,
  options: ServeOptions,
  context: CommandContext,
): Promise<void> {
  // Other commands need not wait for it to load.
  const { createServer, isLoopback } = await import('@pocketllm/server');
  const { io, output, stop } = context;
  const { host, port, grace } = options;
  const apiKey = options.apiKey ?? (io.env.POCKETLLM_API_KEY || undefined);
  if (apiKey === undefined && !isLoopback(host)) {
    throw usageError(`others can reach ${host}: set an API key by POCKETLLM_API_KEY or --api-key.`);
  }
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw usageError('the API key must be visible ASCII characters without blanks.');
  }
  if (port > 65535) throw usageError('a port is at most 65535.');
  const crowd = { ...options, maxNumSeqs: options.maxNumSeqs ?? 32 };
  await using model = await openModel(onlyOne('model', options.model, named), crowd, context);
  const server = createServer(model, serverOptions(options, apiKey, context));
  const url = await server.listen({ host, port }).catch((error: NodeJS.ErrnoException) => {
    const message = `LISTEN_FAILED: nothing can listen on ${host} port ${port}: ${error.message}. Choose another one with --port.`;
    throw new CommandError('LISTEN_FAILED', message, exitCode.failed);
  });
  const { backend, device } = model.info;
  output.note(`Ready at ${url}/v1: ${server.modelName} on ${backend}, ${device}.`);
  output.note(`The chat page is at ${url}/.`);
  stop.isExpected = true;
  await ended(stop.signal);
  output.note('Shutting down: running answers are finished, no others are taken.');
  await server.close({ graceMs: grace * 1000 });
}

function serverOptions(
  { modelName, corsOrigin: corsOrigins, maxQueue, verbose }: ServeOptions,
  apiKey: string | undefined,
  { output }: CommandContext,
): ServerOptions {
  return {
    ...given({ modelName, corsOrigins, maxQueue, apiKey }),
    logger: (level, message) => {
      if (level === 'warn' || verbose) output.note(`${level}: ${message}`);
    },
  };
}

/** Until the signal fires. */
async function ended(signal: AbortSignal): Promise<void> {
  if (!signal.aborted)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
