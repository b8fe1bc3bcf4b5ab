// @ts-check
// What is measured, and the table of what is to be reached.

/**
 * - prefill: tokens/s from a prompt's start to the first token of the answer
 * - decode: tokens/s after the first token, behind a prompt of that length
 * - batch: tokens/s of all sequences together, each from a prompt of one token
 * - load: milliseconds from opening the file to the first token behind a short prompt; cold is with the file out
 *   of the page cache
 * - memory: bytes resident at most, from the start of the process to the end of an answer
 *
 * @typedef {{ kind: 'prefill', prompt: number, repeats: number }
 *   | { kind: 'decode', prompt: number, tokens: number, repeats: number }
 *   | { kind: 'batch', sequences: number, tokens: number, repeats: number }
 *   | { kind: 'load', prompt: number, cold: boolean }
 *   | { kind: 'memory', prompt: number, tokens: number, context: number }} Row
 */

/** @type {Readonly<Record<string, Row>>} */
export const rows = {
  'prefill-512': { kind: 'prefill', prompt: 512, repeats: 2 },
  'prefill-2048': { kind: 'prefill', prompt: 2048, repeats: 1 },
  'decode-0': { kind: 'decode', prompt: 1, tokens: 65, repeats: 2 },
  'decode-512': { kind: 'decode', prompt: 512, tokens: 65, repeats: 1 },
  'batch-8': { kind: 'batch', sequences: 8, tokens: 33, repeats: 2 },
  'batch-16': { kind: 'batch', sequences: 16, tokens: 33, repeats: 2 },
  'load-cold': { kind: 'load', prompt: 16, cold: true },
  'load-warm': { kind: 'load', prompt: 16, cold: false },
  memory: { kind: 'memory', prompt: 512, tokens: 32, context: 2048 },
};

/** Positions of a sequence that a row fills. @param {Row} row */
export function positionsOf(row) {
  const prompt = row.kind === 'batch' ? 1 : row.prompt;
  return prompt + (row.kind === 'prefill' || row.kind === 'load' ? 1 : row.tokens);
}

/** Positions a sequence gets in the cache. @param {Row} row @param {number} most that the model has */
export function contextOf(row, most) {
  const wanted = row.kind === 'memory' ? row.context : Math.ceil((positionsOf(row) + 1) / 64) * 64;
  return Math.min(wanted, most);
}

/** The best instruction set of a machine. @typedef {'amx' | 'avx512vnni' | 'avx2'} MachineKind */
/**
 * One line of the table: the row, the mix of the model's formats, an instruction set that both sides are held to
 * (the machine's own choice where absent), and the ratio to the peer that is to be reached on each kind of machine.
 *
 * @typedef {{ row: string, model: string, isa?: string, goal: Partial<Record<MachineKind, number>> }} Entry
 */

/** @param {string[]} models @param {Entry['goal']} goal @returns {Entry[]} */
const decodes = (models, goal) => models.map((model) => ({ row: 'decode-0', model, goal }));

/** @type {readonly Entry[]} */
export const suite = [
  { row: 'prefill-512', model: 'q4_k_m', goal: { amx: 5, avx512vnni: 3 } },
  { row: 'prefill-512', model: 'q8_0', goal: { amx: 5, avx512vnni: 3 } },
  { row: 'prefill-2048', model: 'q4_k_m', goal: { amx: 5, avx512vnni: 3 } },
  { row: 'prefill-512', model: 'f16', goal: { amx: 8, avx512vnni: 2 } },
  { row: 'prefill-512', model: 'q4_k_m', isa: 'avx512vnni', goal: { amx: 3, avx512vnni: 3 } },
  { row: 'prefill-512', model: 'q4_k_m', isa: 'avx2', goal: { amx: 1.6, avx512vnni: 1.6, avx2: 1.6 } },
  { row: 'decode-0', model: 'q4_k_m', goal: { amx: 1.9, avx512vnni: 1.5 } },
  { row: 'decode-512', model: 'q4_k_m', goal: { amx: 1.9, avx512vnni: 1.5 } },
  ...decodes(['q8_0', 'f16'], { amx: 1.1, avx512vnni: 1.1 }),
  ...decodes(['q2_k', 'iq2_xxs', 'iq1_s', 'tq2_0', 'tq1_0'], { amx: 1.8, avx512vnni: 1.5 }),
  { row: 'batch-8', model: 'q4_k_m', goal: { amx: 2.8, avx512vnni: 4 } },
  { row: 'batch-16', model: 'q4_k_m', goal: { amx: 2.8, avx512vnni: 4 } },
  { row: 'load-cold', model: 'q4_k_m', goal: { amx: 1, avx512vnni: 1, avx2: 1 } },
  { row: 'load-warm', model: 'q4_k_m', goal: { amx: 1, avx512vnni: 1, avx2: 1 } },
  { row: 'memory', model: 'q4_k_m', goal: {} },
];
