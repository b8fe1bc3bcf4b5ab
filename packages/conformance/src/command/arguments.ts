import { parseArgs } from 'node:util';

export interface Arguments {
  readonly plugin: string;
  readonly json: string | undefined;
  readonly only: readonly string[] | undefined;
  readonly devices: readonly string[] | undefined;
  readonly timeoutMs: number | undefined;
}

export const usage = `Usage: pocketllm-conformance PLUGIN [options]

Shows whether a PocketLLM backend is right, on every device that it finds here.
PLUGIN is the name of an installed package, or the path of a package or a module.

  --json FILE     writes the report (docs/reference/conformance.md)
  --only TEXT     runs only tests whose path holds TEXT, such as "matmul › q4_k"; may come several times
  --device ID     runs only this device; may come several times
  --timeout SEC   lets each test take so many seconds, in place of its own limit
  --version       prints the version
  --help          prints this

Exit status: 0 all tests passed, 1 some did not or no device was there, 2 the command was wrong.
`;

/** What the command line asks for. A string is what is wrong with it. */
export function parseArguments(args: readonly string[]): Arguments | 'help' | 'version' | { fault: string } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'string' },
        only: { type: 'string', multiple: true },
        device: { type: 'string', multiple: true },
        timeout: { type: 'string' },
        version: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
    if (values.help) return 'help';
    if (values.version) return 'version';
    const [plugin, ...rest] = positionals;
    if (plugin === undefined) return { fault: 'PLUGIN is missing' };
    if (rest.length > 0) return { fault: `one PLUGIN at a time, not also ${rest.join(', ')}` };
    const timeoutMs = values.timeout === undefined ? undefined : Number(values.timeout) * 1000;
    if (timeoutMs !== undefined && !(timeoutMs > 0)) return { fault: '--timeout takes a number of seconds' };
    return { plugin, json: values.json, only: values.only, devices: values.device, timeoutMs };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}
