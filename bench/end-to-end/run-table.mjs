// @ts-check
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { machineText } from '../machine/describe.mjs';
import { better } from '../machine/measure.mjs';
import { modelPath, vocabularyPath } from '../model/places.mjs';
import { writeModel } from '../model/write-model.mjs';
import { hasVariant } from './engines/llama-variant.mjs';
import { measurePairs, summarize } from './pairs.mjs';
import { entryName, entryText } from './report.mjs';
import { positionsOf, rows } from './rows.mjs';
import { peerName } from './side.mjs';
import { workOfModel } from './work-of-model.mjs';

/** @typedef {import('./rows.mjs').Entry} Entry */

/**
 * Measures the entries one after another, and says of each what came of it or why it was left out.
 *
 * @param {import('./options.mjs').BenchOptions} options
 * @param {object} surroundings
 * @param {import('../machine/describe.mjs').MachineDescription} surroundings.machine
 * @param {typeof import('../machine/measure.mjs').measureMachine} surroundings.measureMachine
 * @param {(job: import('./side.mjs').SideJob) => Promise<import('./side.mjs').Outcome>} surroundings.run
 * @param {(line: string) => void} surroundings.print
 * @param {(raw: object) => void} surroundings.keep
 */
export async function runTable(options, { machine, measureMachine, run, print, keep }) {
  const { entries, threads, realtime, sides } = options;
  print(machineText(machine));
  let limits = measureMachine(threads, { realtime });
  keep({ machine, limits, options: { ...options, out: undefined, entries: entries.map(entryName) } });
  const done = [];
  for (const entry of entries) {
    const leaveOut = (/** @type {string} */ reason) => print(`${entryName(entry)}: left out: ${reason}`);
    const missing = missingHere(entry, sides, machine);
    if (missing !== undefined) {
      leaveOut(missing);
      continue;
    }
    const path = await modelFile(entry.model, print);
    const work = await workOfModel(path);
    const row = rows[entry.row];
    if (row && positionsOf(row) > work.positions) {
      leaveOut(`the model has ${work.positions} positions`);
      continue;
    }
    const summary = summarize(await measurePairs(entry, { ...options, path, work, run, keep }));
    // Measured again and again, since the best rate of a shared machine shows only now and then.
    limits = better(limits, measureMachine(threads, { realtime }));
    print(entryText(entry, summary, { work, limits, instructionSets: machine.instructionSets }));
    done.push({ entry, summary });
  }
  keep({ limits });
  for (const line of sidesText(done)) print(line);
  print(`the machine read ${(limits.read.bytesPerSecond / 1e9).toFixed(1)} GB/s at best`);
}

/** @param {Entry} entry @param {{ peer?: string }} sides @param {{ instructionSets: string[] }} machine */
function missingHere({ isa }, { peer }, { instructionSets }) {
  if (isa !== undefined && !instructionSets.includes(isa)) return `this machine has no ${isa}`;
  if (isa !== undefined && peer === peerName && !hasVariant(isa)) return `the peer has no variant for ${isa}`;
  return undefined;
}

/** The path of a model; one of a mix is made where it is missing. @param {string} model @param {(line: string) => void} print */
async function modelFile(model, print) {
  if (/[/\\.]/.test(model)) return model;
  const path = modelPath(model);
  if (!existsSync(path)) {
    print(`writing ${path}`);
    mkdirSync(dirname(path), { recursive: true });
    await writeModel({ path, mix: model, vocabulary: vocabularyPath });
  }
  return path;
}

/** What ran on each side, one line for each kind. @param {{ summary: import('./pairs.mjs').Summary }[]} done */
function sidesText(done) {
  const lines = done.flatMap(({ summary }) =>
    Object.entries(summary.about).map(([role, about]) => {
      const fields = Object.entries(about).map(([name, value]) => `${name} ${value}`);
      return `${role}: ${fields.join(', ')}`;
    }),
  );
  return new Set(lines);
}
