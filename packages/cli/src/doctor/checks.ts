import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, freemem, totalmem } from 'node:os';
import manifest from '../../package.json' with { type: 'json' };
import { devicesOf } from '../backend-devices.js';
import { knownBackends } from '../backends.js';
import { installedBackends } from '../installed-backends.js';
import { bytesText } from '../terminal/quantity.js';

/** One thing looked at. `advice` says what to do where it is not well. */
export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly found: string;
  readonly advice?: string;
}

/** Enough for the system, Node and a small model. */
const comfortableBytes = 2 ** 30;

/** What kernels choose by, as the kernel names it (Linux). */
const features = [
  ...['avx2', 'fma', 'f16c', 'avx512f', 'avx512_vnni', 'amx_int8', 'amx_bf16'],
  ...['asimd', 'asimddp', 'i8mm', 'bf16'],
];

export function checkNode(version = process.versions.node): Check {
  const wanted = manifest.engines.node.replace('>=', '');
  const name = 'Node';
  return isAtLeast(version, wanted)
    ? { name, status: 'ok', found: version }
    : { name, status: 'fail', found: version, advice: `Install Node ${wanted} or newer.` };
}

export function checkProcessor(): Check {
  const model = cpus()[0]?.model.trim() || process.arch;
  const found = `${model}, ${availableParallelism()} threads`;
  const flags = processorFlags();
  const known = flags && features.filter((feature) => flags.has(feature));
  const words = known ? `${found}; ${known.join(', ') || 'no vector extensions that kernels use'}` : found;
  return { name: 'processor', status: 'ok', found: words };
}

export function checkMemory(free = freeBytes(), total = totalmem()): Check {
  const found = `${bytesText(free)} free of ${bytesText(total)}`;
  return free >= comfortableBytes
    ? { name: 'memory', status: 'ok', found }
    : {
        name: 'memory',
        status: 'warn',
        found,
        advice: 'Close other programs before you load a larger model.',
      };
}

/** A line for each backend that is installed, and one where there is none but the last resort. */
export async function checkBackends(cwd: string, ownBackends = knownBackends): Promise<Check[]> {
  const installed = await installedBackends(cwd, ownBackends);
  const checks = await Promise.all(
    installed.map(async (backend): Promise<Check> => {
      const { devices, reason } = await devicesOf(backend);
      const name = `backend ${backend.name}`;
      const found = devices.map(({ id, name: device }) => `${id} (${device})`).join(', ');
      if (devices.length > 0) return { name, status: 'ok', found };
      return {
        name,
        status: 'warn',
        found: reason ?? 'no device',
        advice: 'Choose another one with --backend.',
      };
    }),
  );
  if (installed.some(({ lastResort }) => !lastResort)) return checks;
  const advice = 'Models run on the reference, slowly: install a backend package for a device.';
  return [...checks, { name: 'backends', status: 'warn', found: 'none for a device', advice }];
}

/** `version` and `wanted` as `20.19.0`; missing parts count as 0. */
function isAtLeast(version: string, wanted: string): boolean {
  const [have, want] = [version, wanted].map((text) => text.split('.').map(Number));
  for (const [index, part] of want!.entries()) {
    const difference = (have![index] ?? 0) - part;
    if (difference !== 0) return difference > 0;
  }
  return true;
}

/** Flags of the first processor; undefined where the system does not list them in a file. */
function processorFlags(): ReadonlySet<string> | undefined {
  try {
    const line = /^(?:flags|Features)\s*:(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1];
    return line === undefined ? undefined : new Set(line.trim().split(/\s+/));
  } catch {
    return undefined;
  }
}

/** What a container leaves to this process counts, where that is less than what the machine has. */
function freeBytes(): number {
  const limit = process.constrainedMemory();
  const free = freemem();
  return limit > 0 && limit < totalmem() ? Math.min(free, limit - process.memoryUsage.rss()) : free;
}
