// @ts-check
// Times encoders beside those of the reference, and says how far what they find lies from what the reference finds:
//
//   node bench/cpu/encode.mjs [DEVICE [FORMAT...]]
//
// Million weights a second, with importance, of rows of 4096 weights of a bell shape; best of several runs, on one thread
// and on all. The error is the weighted squared error as a part of the reference's. Runs what `npm run build` built.
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const load = (/** @type {string} */ name) =>
  import(pathToFileURL(join(root, 'packages', name, 'dist/index.js')).href);
/** @type {typeof import('../../packages/abi/src/index.js')} */
const { recordProgram, rowBytes, weightFormats } = await load('abi');
/** @type {typeof import('../../packages/reference/src/index.js')} */
const { decodeRow, encodeRow } = await load('reference');
/** @type {typeof import('../../packages/backend-cpu/src/index.js')} */
const { default: cpu } = await load('backend-cpu');

const cols = 4096;
const leastMs = 400;
const device = process.argv[2] ?? (await cpu.probe()).devices[0]?.id;
const formats = /** @type {(keyof typeof weightFormats)[]} */ (
  process.argv.length > 3 ? process.argv.slice(3) : ['q4_k', 'q6_k', 'q8_0', 'iq2_xxs', 'iq1_s']
);

let state = 1;
function uniform() {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
}
const bell = () => Array.from({ length: 12 }, uniform).reduce((sum, u) => sum + u, -6);
const importance = Float32Array.from({ length: cols }, () => 0.01 + 4 * uniform() ** 2);

/** Weights a second of the best of several runs. @param {number} weights @param {() => unknown} run */
async function rateOf(weights, run) {
  let best = Number.POSITIVE_INFINITY;
  for (const end = performance.now() + leastMs; performance.now() < end; ) {
    const start = performance.now();
    await run();
    best = Math.min(best, performance.now() - start);
  }
  return (weights / best) * 1000;
}

/** @param {keyof typeof weightFormats} format @param {number} rows @param {number | undefined} threads */
async function prepared(format, rows, threads) {
  const program = recordProgram((p) => {
    const x = p.input('x', 'f32', ['rows', cols]);
    p.output('out', p.encode(x, { format, importance: p.weight('importance', 'f32', [cols]) }));
  });
  const backend = await cpu.open(/** @type {string} */ (device), threads === undefined ? {} : { threads });
  const source = { read: async () => new Uint8Array(importance.buffer) };
  const executable = await backend.prepare(program, source, { maxRows: rows, maxOutputs: 0 });
  const x = Float32Array.from({ length: rows * cols }, () => 0.02 * bell());
  const sequences = [{ rows, start: 0, pages: [], phase: /** @type {const} */ ('prefill') }];
  const run = async () => {
    const { outputs } = await executable.run({ rows, outputs: 0, sequences, inputs: { x } });
    return /** @type {Uint8Array} */ (outputs.out);
  };
  return { run, x, close: () => executable.release().then(() => backend.close()) };
}

/** @param {keyof typeof weightFormats} format @param {Float32Array} row @param {Uint8Array} bytes */
function errorOf(format, row, bytes) {
  const decoded = new Float32Array(cols);
  decodeRow(format, bytes, decoded);
  return row.reduce(
    (sum, w, c) => sum + /** @type {number} */ (importance[c]) * (w - (decoded[c] ?? 0)) ** 2,
    0,
  );
}

/** @param {number} rate */
const millions = (rate) => (rate / 1e6).toFixed(2).padStart(9);

process.stdout.write(
  `${device}, million weights a second\nformat     reference  1 thread      all   times  error\n`,
);
for (const format of formats) {
  const rows = 64;
  const one = await prepared(format, rows, 1);
  const row = one.x.subarray(0, cols);
  const found = (await one.run()).slice(0, /** @type {number} */ (rowBytes(weightFormats[format], cols)));
  const error = errorOf(format, row, found) / errorOf(format, row, encodeRow(format, row, importance));
  const rate = await rateOf(rows * cols, one.run);
  await one.close();
  const all = await prepared(format, rows, undefined);
  const rateOfAll = await rateOf(rows * cols, all.run);
  await all.close();
  const reference = await rateOf(cols, () => encodeRow(format, row, importance));
  const times = (rate / reference).toFixed(0).padStart(7);
  process.stdout.write(
    `${format.padEnd(10)}${millions(reference)} ${millions(rate)}${millions(rateOfAll)} ${times}  ${error.toFixed(4)}\n`,
  );
}
