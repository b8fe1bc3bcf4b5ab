import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isPocketError } from '@pocketllm/abi';
import manifest from '../../package.json' with { type: 'json' };
import { runConformance } from '../run-conformance.js';
import { describe } from '../verdict.js';
import { type Arguments, parseArguments, usage } from './arguments.js';
import { type LoadedPlugin, loadPlugin } from './load-plugin.js';
import { Progress, summarize } from './summary.js';

/** The world around the command. */
export interface CommandWorld {
  /** Where relative paths start, and for whom packages are installed. */
  readonly cwd: string;
  /** Prints a line where what was asked for goes. */
  readonly stdout: (line: string) => void;
  /** Prints a line for people. */
  readonly stderr: (line: string) => void;
}

/** Runs the command; gives its exit status: 0 passed, 1 failed, 2 wrong usage. */
export async function runCommand(args: readonly string[], world: CommandWorld): Promise<0 | 1 | 2> {
  const parsed = parseArguments(args);
  if (parsed === 'help' || parsed === 'version') {
    world.stdout(parsed === 'help' ? usage.trimEnd() : manifest.version);
    return 0;
  }
  if ('fault' in parsed) return refuse(world, `${parsed.fault}\n\n${usage}`);
  let loaded: LoadedPlugin;
  try {
    loaded = await loadPlugin(parsed.plugin, world.cwd);
  } catch (error) {
    world.stderr(describe(error));
    return isPocketError(error, 'BACKEND_NOT_FOUND') ? 2 : 1;
  }
  return test(loaded, parsed, world);
}

async function test(
  loaded: LoadedPlugin,
  { json, only, devices, timeoutMs }: Arguments,
  world: CommandWorld,
): Promise<0 | 1 | 2> {
  const progress = new Progress();
  const print = (lines: readonly string[]) => {
    for (const line of lines) world.stderr(line);
  };
  let planned = 0;
  const report = await runConformance({
    ...loaded,
    only,
    devices,
    timeoutMs,
    onPlan({ tests, devices: found }) {
      planned = tests.length;
      const names = found.map(({ id, name }) => `${id} (${name})`);
      world.stderr(`${loaded.plugin.name}: ${planned} tests on ${names.join(', ') || 'no device'}`);
    },
    onResult: (result) => print(progress.add(result)),
  });
  if (planned === 0) return refuse(world, `no test has ${only?.join(' or ')} in its path`);
  const unknown = devices?.filter((id) => !report.devices.some((device) => device.id === id)) ?? [];
  if (unknown.length > 0) return refuse(world, `there is no device ${unknown.join(', ')}`);
  print([...progress.end(), ...summarize(report)]);
  if (json !== undefined) {
    try {
      await writeFile(resolve(world.cwd, json), `${JSON.stringify(report, undefined, 1)}\n`);
      world.stderr(`The report is in ${json}`);
    } catch (error) {
      world.stderr(`The report cannot be written: ${describe(error)}`);
      return 1;
    }
  }
  return report.passed ? 0 : 1;
}

function refuse(world: CommandWorld, fault: string): 2 {
  world.stderr(fault);
  return 2;
}
