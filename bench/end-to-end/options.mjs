// @ts-check
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { mixes } from '../model/mixes.mjs';
import { rows, suite } from './rows.mjs';
import { peerName } from './side.mjs';

export const usage = `node end-to-end.mjs [options]

Runs the table of the CPU backend, or a part of it: the peer and ours in turn, each in a process of its own.

  --rows LIST      of ${Object.keys(rows).join(', ')}; all where absent
  --model LIST     mixes of formats (${Object.keys(mixes).join(', ')}), each made where it is missing;
                   or one GGUF file, which is measured by every row
  --isa LIST       instruction sets that both sides are held to, native for the machine's own choice
  --pairs N        how often each side runs; 5 where absent
  --threads N      ${availableParallelism()} where absent
  --quiet SECONDS  how long to wait before each process for the rest of the machine to be quiet, and repeat pairs
                   that were disturbed; 0 where absent
  --realtime       what is timed runs before everything else on the machine, which then rests for as long; for a
                   machine that is never quiet
  --peer SIDE      ${peerName}, none, or a backend of ours
  --ours SIDE      cpu, reference, a path of a backend package, or none
  --out FILE       the raw rows, one JSON object a line; a new file in results/ where absent
`;

/**
 * @typedef {object} BenchOptions
 * @property {import('./rows.mjs').Entry[]} entries
 * @property {number} pairs
 * @property {number} threads
 * @property {number} quietSeconds
 * @property {boolean} realtime
 * @property {{ peer?: string, ours?: string }} sides
 * @property {string | undefined} out
 */

/** What the command line asks for. Throws a TypeError that says what is wrong with it. @param {string[]} args @returns {BenchOptions | 'help'} */
export function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      rows: { type: 'string' },
      model: { type: 'string' },
      isa: { type: 'string' },
      pairs: { type: 'string', default: '5' },
      threads: { type: 'string', default: String(availableParallelism()) },
      quiet: { type: 'string', default: '0' },
      realtime: { type: 'boolean', default: false },
      peer: { type: 'string', default: peerName },
      ours: { type: 'string', default: 'cpu' },
      out: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return 'help';
  if (values.peer === 'none' && values.ours === 'none') throw new TypeError('both sides are none');
  const wantedRows = listOf(values.rows, Object.keys(rows), 'row');
  const models = values.model?.split(',');
  const isFile = models?.length === 1 && /[/\\.]/.test(models[0] ?? '');
  const isas = values.isa?.split(',');
  return {
    entries: isFile
      ? entriesOfFile(resolve(models[0] ?? ''), wantedRows ?? Object.keys(rows), isas ?? ['native'])
      : chosenEntries(wantedRows, listOf(values.model, Object.keys(mixes), 'mix'), isas),
    pairs: count(values.pairs, 'pairs', 1),
    threads: count(values.threads, 'threads', 1),
    quietSeconds: count(values.quiet, 'quiet', 0),
    realtime: values.realtime,
    sides: {
      ...(values.peer === 'none' ? {} : { peer: values.peer }),
      ...(values.ours === 'none' ? {} : { ours: values.ours }),
    },
    out: values.out,
  };
}

/** @param {string} path @param {string[]} names @param {string[]} isas @returns {import('./rows.mjs').Entry[]} */
function entriesOfFile(path, names, isas) {
  if (!existsSync(path)) throw new TypeError(`no file ${path}`);
  return isas.flatMap((isa) =>
    names.map((row) => ({ row, model: path, ...(isa === 'native' ? {} : { isa }), goal: {} })),
  );
}

/**
 * Entries of the table. A model or instruction set that was named and of which the table has nothing in a row is
 * measured all the same, without a goal.
 *
 * @param {string[] | undefined} wantedRows
 * @param {string[] | undefined} models
 * @param {string[] | undefined} isas
 * @returns {import('./rows.mjs').Entry[]}
 */
function chosenEntries(wantedRows, models, isas) {
  if (!wantedRows || !(models || isas)) {
    return suite.filter(
      ({ row, model, isa }) =>
        (wantedRows?.includes(row) ?? true) &&
        (models?.includes(model) ?? true) &&
        (isas?.includes(isa ?? 'native') ?? true),
    );
  }
  return wantedRows.flatMap((row) =>
    (models ?? ['q4_k_m']).flatMap((model) =>
      (isas ?? ['native']).map((isa) => {
        const forced = isa === 'native' ? {} : { isa };
        const known = suite.find(
          (entry) => entry.row === row && entry.model === model && entry.isa === forced.isa,
        );
        return known ?? { row, model, ...forced, goal: {} };
      }),
    ),
  );
}

/** @param {string | undefined} text @param {string[]} known @param {string} what */
function listOf(text, known, what) {
  const names = text?.split(',');
  for (const name of names ?? []) {
    if (!known.includes(name))
      throw new TypeError(`no ${what} is named ${name}; there are ${known.join(', ')}`);
  }
  return names;
}

/** @param {string} text @param {string} name @param {number} least */
function count(text, name, least) {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least) {
    throw new TypeError(`--${name} takes a whole number from ${least} on, not ${text}`);
  }
  return value;
}
