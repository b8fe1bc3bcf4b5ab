import type { Command } from 'commander';
import { type BackendDevices, devicesOf } from '../backend-devices.js';
import { installedBackends } from '../installed-backends.js';
import type { CommandContext } from '../main-command.js';
import { addJsonOption, type JsonOption } from '../options.js';
import { bytesText } from '../terminal/quantity.js';
import { table } from '../terminal/table.js';

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
