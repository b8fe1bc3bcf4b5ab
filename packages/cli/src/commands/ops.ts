import { dataFormats, type OpDeclaration, ops, rungOf, weightFormats } from '@pocketllm/abi';
import type { Command } from 'commander';
import { usageError } from '../command-error.js';
import { type InstalledBackend, installedBackends } from '../installed-backends.js';
import type { CommandContext } from '../main-command.js';
import { opSignature } from '../op-signature.js';
import { addJsonOption, type JsonOption } from '../options.js';
import { table } from '../terminal/table.js';

export function addOps(program: Command, { io, output }: CommandContext): void {
  const command = program
    .command('ops')
    .summary('operations, and the formats of weights')
    .description(
      'Lists every op of the ABI with its signature, formula and the backends that claim it; and the weight formats.',
    )
    .argument('[names...]', 'only these ops');
  addJsonOption(command).action(async (names: readonly string[]) => {
    const installed = await installedBackends(io.cwd);
    const chosen = select(names).map((op) => describe(op, installed));
    const formats = [...Object.values(weightFormats), ...Object.values(dataFormats)].map(
      ({ name, ggufType, block, use }) => ({ name, ggufType, block, use, rung: rungOf(name) ?? null }),
    );
    if (command.opts<JsonOption>().json) return output.json({ ops: chosen, formats });
    const words = chosen.map(
      ({ signature, summary, formula, backends }) =>
        `${signature}\n  ${summary}\n  ${formula}\n  backends: ${backends.join(', ') || 'none'}`,
    );
    if (names.length === 0) words.push(formatTable(formats));
    return output.lines(words.join('\n\n'));
  });
}

function select(names: readonly string[]): readonly OpDeclaration[] {
  const all: readonly OpDeclaration[] = Object.values(ops);
  const unknown = names.find((name) => !Object.hasOwn(ops, name));
  if (unknown !== undefined) {
    throw usageError(`there is no op ${unknown}; there are ${Object.keys(ops).join(', ')}.`);
  }
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
}

function describe(op: OpDeclaration, installed: readonly InstalledBackend[]) {
  const { name, number, since, summary, formula, inputs, outputs, attributes, decomposition } = op;
  const claiming = installed.filter(({ capabilities }) => capabilities?.ops.some((row) => row.op === name));
  return {
    name,
    number,
    since,
    summary,
    formula,
    signature: opSignature(op),
    inputs,
    outputs,
    attributes,
    decomposesInto: decomposition?.map((step) => step.op) ?? [],
    backends: claiming.map((backend) => backend.name),
  };
}

interface FormatRow {
  readonly name: string;
  readonly ggufType: number;
  readonly block: { readonly weights: number; readonly bytes: number };
  readonly use: string;
  readonly rung: number | null;
}

function formatTable(formats: readonly FormatRow[]): string {
  const rows = formats.map(({ name, ggufType, block, use, rung }) => [
    name,
    String(ggufType),
    ((block.bytes * 8) / block.weights).toFixed(2),
    String(block.weights),
    rung === null ? '-' : String(rung + 1),
    use,
  ]);
  return table([['format', 'GGUF type', 'bits a weight', 'block', 'rung', 'holds'], ...rows]);
}
