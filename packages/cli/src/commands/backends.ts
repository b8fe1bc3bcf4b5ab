import type { Capabilities, CapabilityRow } from '@pocketllm/abi';
import type { Command } from 'commander';
import { type InstalledBackend, installedBackends } from '../installed-backends.js';
import type { CommandContext } from '../main-command.js';
import { addJsonOption, type JsonOption } from '../options.js';
import { wrapped } from '../terminal/table.js';

export function addBackends(program: Command, { io, output }: CommandContext): void {
  const command = program
    .command('backends')
    .summary('backends that are installed, and what they say they run')
    .description(
      'Prints what each installed backend declares in its pocketllm.backend.json: ops by weight format, with limits. ' +
        'No code of a backend runs, so it works where the backend cannot.',
    );
  addJsonOption(command).action(async () => {
    const installed = await installedBackends(io.cwd);
    if (command.opts<JsonOption>().json) return output.json(installed.map(describe));
    return output.lines(installed.map((backend) => paragraph(backend, output.width)).join('\n\n') || 'none');
  });
}

function describe({
  name,
  package: packageName,
  version,
  origin,
  lastResort,
  capabilities,
  problem,
}: InstalledBackend) {
  const reason = problem && { code: problem.code, message: problem.message, details: problem.details };
  return { name, package: packageName, version, origin, lastResort, capabilities, problem: reason };
}

function paragraph(backend: InstalledBackend, width: number): string {
  const { name, package: packageName, version, lastResort, byNameOnly, capabilities, problem } = backend;
  const rank = lastResort ? ', used where there is nothing else' : byNameOnly ? ', opened by name only' : '';
  const title = `${name}: ${packageName} ${version}${rank}`;
  if (!capabilities) return `${title}\n  ${problem?.message}`;
  const { abi, deviceClasses, bitExact } = capabilities;
  return [
    title,
    `  ABI ${abi}; devices: ${deviceClasses.join(', ')}; equal bit for bit whatever the ${bitExact.join(', ')}`,
    opTable(capabilities, width),
  ].join('\n');
}

/** A line for each row: the op, then the formats of weights and caches and the limits that it is claimed for. */
function opTable({ ops }: Capabilities, width: number): string {
  const nameWidth = Math.max(0, ...ops.map(({ op }) => op.length));
  const indent = ' '.repeat(nameWidth + 4);
  return ops
    .map((row) =>
      `  ${row.op.padEnd(nameWidth)}  ${wrapped(claims(row), width - indent.length, indent)}`.trimEnd(),
    )
    .join('\n');
}

function claims({ formats, caches, limits, attributes }: CapabilityRow): string[] {
  const bounds = Object.entries(limits ?? {}).flatMap(([size, { max, multipleOf }]) => [
    ...(max === undefined ? [] : [`${size}<=${max}`]),
    ...(multipleOf === undefined ? [] : [`${size}%${multipleOf}=0`]),
  ]);
  const choices = Object.entries(attributes ?? {}).map(([name, values]) => `${name}=${values.join('|')}`);
  return [...(formats ?? []), ...(caches ?? []).map((cache) => `cache:${cache}`), ...bounds, ...choices];
}
