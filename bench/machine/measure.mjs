// @ts-check
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const program = join(folder, '../build/machine');

/**
 * The best read rate, with how many streams a thread it took, and the arithmetic of each instruction set.
 * Operations count multiplications and additions.
 *
 * @typedef {{ isa: string, type: string, operationsPerSecond: number }} Peak
 * @typedef {{ threads: number, read: { bytesPerSecond: number, streams: number }, peaks: Peak[] }} MachineLimits
 */

/**
 * Measures what the machine can do at best; takes about two seconds on a quiet one.
 *
 * @param {number} threads
 * @param {{ realtime?: boolean }} [options] realtime: before everything else on the machine
 * @returns {MachineLimits}
 */
export function measureMachine(threads, { realtime = false } = {}) {
  build();
  const [command, ...before] = realtime ? ['chrt', '--fifo', '1', program] : [program];
  return JSON.parse(execFileSync(command ?? program, [...before, String(threads)], { encoding: 'utf8' }));
}

/** The better of two measurements, figure by figure. @param {MachineLimits} a @param {MachineLimits} b @returns {MachineLimits} */
export function better(a, b) {
  const read = a.read.bytesPerSecond > b.read.bytesPerSecond ? a.read : b.read;
  const peaks = a.peaks.map((peak, i) => {
    const other = b.peaks[i] ?? peak;
    return peak.operationsPerSecond > other.operationsPerSecond ? peak : other;
  });
  return { threads: a.threads, read, peaks };
}

/** Compiles the program where it is missing or older than its source. Needs g++. */
function build() {
  const sources = readdirSync(folder).filter((name) => /\.(cpp|h)$/.test(name));
  const newest = Math.max(...sources.map((name) => statSync(join(folder, name)).mtimeMs));
  if (existsSync(program) && statSync(program).mtimeMs > newest) return;
  mkdirSync(join(folder, '../build'), { recursive: true });
  const files = sources.filter((name) => name.endsWith('.cpp'));
  execFileSync('g++', ['-std=c++17', '-O3', '-pthread', ...files, '-o', program], { cwd: folder });
}
