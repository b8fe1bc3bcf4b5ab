import type { DeviceInfo } from '@pocketllm/abi';
import { probeBackend } from '@pocketllm/runtime';
import type { Command } from 'commander';
import { describeFailure } from '../failure.js';
import { type InstalledBackend, installedBackends } from '../installed-backends.js';
import type { CommandContext } from '../main-command.js';
import { addJsonOption, type JsonOption } from '../options.js';
import { bytesText } from '../terminal/quantity.js';
import { table } from '../terminal/table.js';

/** What one backend can open here, and what it lacks for the rest. */
export interface BackendDevices {
  readonly backend: string;
  readonly package: string;
  readonly devices: readonly Omit<DeviceInfo, 'capabilities'>[];
  readonly reason?: string;
}

export function addDevices(program: Command, { io, output }: CommandContext): void {
  const command = program
    .command('devices')
    .summary('devices that can be opened here')
    .description(
      'Lists what each backend can open on this machine, fastest first, and what it lacks for the rest.',
    );
  addJsonOption(command).action(async () => {
    const listing = await Promise.all((await installedBackends(io.cwd)).map(devicesOf));
    if (command.opts<JsonOption>().json) return output.json(listing);
    return output.lines(table(listing.flatMap(rows)));
  });
}

/** Asks a backend, whose code runs for it. What fails is the reason. */
export async function devicesOf(backend: InstalledBackend): Promise<BackendDevices> {
  const names = { backend: backend.name, package: backend.package };
  try {
    const { devices, reason } = await probeBackend(await backend.load());
    const shown = devices.map(({ capabilities: _, ...device }) => device);
    return { ...names, devices: shown, ...(reason === undefined ? {} : { reason }) };
  } catch (error) {
    return { ...names, devices: [], reason: describeFailure(error).message };
  }
}

function rows({ backend, devices, reason }: BackendDevices): string[][] {
  const found = devices.map(({ id, class: deviceClass, name, memoryBytes }) => [
    backend,
    id,
    deviceClass,
    memoryBytes === undefined ? '-' : bytesText(memoryBytes),
    name,
  ]);
  if (reason === undefined && found.length > 0) return found;
  return [...found, [backend, '-', '-', '-', `not available: ${reason ?? 'no device, and no reason given'}`]];
}
