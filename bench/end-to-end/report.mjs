// @ts-check
import { basename } from 'node:path';
import { contextOf, rows } from './rows.mjs';
import { bytesOfStep, operationsOfPrompt } from './work-of-model.mjs';

/** @typedef {import('./work-of-model.mjs').ModelWork} ModelWork */
/** @typedef {import('../machine/measure.mjs').MachineLimits} MachineLimits */
/** @typedef {import('./pairs.mjs').Summary} Summary */

/** Which goal of the table holds on a machine: that of its best instruction set. @param {readonly string[]} instructionSets @returns {import('./rows.mjs').MachineKind | undefined} */
export function machineKind(instructionSets) {
  for (const kind of /** @type {const} */ (['amx', 'avx512vnni', 'avx2'])) {
    if (instructionSets.includes(kind)) return kind;
  }
  return undefined;
}

/**
 * The line of one entry, without its raw rows.
 *
 * @param {import('./rows.mjs').Entry} entry
 * @param {Summary} summary
 * @param {{ work: ModelWork, limits: MachineLimits, instructionSets: readonly string[] }} about
 */
export function entryText(entry, summary, { work, limits, instructionSets }) {
  const { unit, peer, ours, ratio, pairs, quiet, counts, leftOut } = summary;
  const kind = machineKind(instructionSets);
  const goal = kind && entry.goal[kind];
  const share = (/** @type {number | undefined} */ value) =>
    value === undefined ? undefined : shareText(entry, value, { work, limits, instructionSets });
  const parts = [
    peer === undefined ? undefined : `peer ${figure(peer, unit)}${inBrackets(share(peer))}`,
    ours === undefined ? undefined : `ours ${figure(ours, unit)}${inBrackets(share(ours))}`,
    ratio === undefined ? undefined : `${ratio.toFixed(2)}x`,
    ratio === undefined || goal === undefined
      ? undefined
      : `goal ${goal}x: ${ratio >= goal ? 'reached' : 'missed'}`,
    ours === undefined || !counts.outsideBackend
      ? undefined
      : `${(counts.outsideBackend * 100).toFixed(1)} % outside the backend`,
    ...leftOut,
    pairs === 0 ? undefined : `${quiet} of ${pairs} pairs quiet`,
  ];
  return `${entryName(entry)}: ${parts.filter((part) => part !== undefined).join(', ')}`;
}

/** @param {{ row: string, model: string, isa?: string }} entry */
export const entryName = ({ row, model, isa }) =>
  `${row} ${basename(model)}${isa === undefined ? '' : ` held to ${isa}`}`;

/** @param {string | undefined} text */
const inBrackets = (text) => (text === undefined ? '' : ` (${text})`);

/** @param {number} value @param {Summary['unit']} unit */
function figure(value, unit) {
  if (unit === 'bytes') return `${(value / 2 ** 20).toFixed(0)} MiB`;
  return `${value < 10 ? value.toFixed(2) : value.toFixed(1)} ${unit}`;
}

/**
 * What part of the machine a value is: of the best read rate for a decode, of the peak of the arithmetic that suits
 * the weights for a prompt, of file and cache for memory.
 *
 * @param {import('./rows.mjs').Entry} entry
 * @param {number} value
 * @param {{ work: ModelWork, limits: MachineLimits, instructionSets: readonly string[] }} about
 */
function shareText({ row: name, isa }, value, { work, limits, instructionSets }) {
  const row = rows[name];
  if (!row) return undefined;
  if (row.kind === 'decode' || row.kind === 'batch') {
    const sequences = row.kind === 'batch' ? row.sequences : 1;
    const positions = (row.kind === 'batch' ? 1 : row.prompt) + row.tokens / 2;
    const rate = (bytesOfStep(work, sequences, positions) * value) / sequences;
    return `${percent(rate / limits.read.bytesPerSecond)} of the read rate`;
  }
  if (row.kind === 'prefill') {
    const peak = peakFor(limits, isa ?? instructionSets[0], work.mostlyFloats);
    if (!peak) return undefined;
    const rate = (operationsOfPrompt(work, row.prompt) * value) / row.prompt;
    return `${percent(rate / peak.operationsPerSecond)} of ${peak.isa} ${peak.type}`;
  }
  if (row.kind === 'memory') {
    return `${percent(value / (work.fileBytes + contextOf(row, work.positions) * work.cacheBytes))} of file and cache`;
  }
  return undefined;
}

/** The peak that a prompt is held against: tiles of bf16, else bytes, or f32 where the weights are floats. @param {MachineLimits} limits @param {string | undefined} isa @param {boolean} floats */
function peakFor({ peaks }, isa, floats) {
  const type = isa === 'amx' ? 'bf16' : floats ? 'f32' : 'int8';
  const known = isa === 'avxvnni' && floats ? 'avx2' : isa;
  return peaks.find((peak) => peak.isa === known && peak.type === type);
}

/** @param {number} part */
const percent = (part) => `${(part * 100).toFixed(0)} %`;
