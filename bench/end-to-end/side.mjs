// @ts-check
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { measure } from './measure.mjs';

export const peerName = 'node-llama-cpp';

/**
 * `side` is the peer's name, or a backend of ours: a short name or a path.
 *
 * @typedef {{ side: string, row: import('./rows.mjs').Row, model: string, threads: number, context: number,
 *   vocabulary: number, seed: number, isa?: string, realtime: boolean }} SideJob
 */
/** @typedef {Awaited<ReturnType<typeof measure>> | { failed: string }} Outcome */

/** Measures in this process. @param {SideJob} job */
export async function runSide({ side, row, ...options }) {
  if (side === peerName) {
    const { openLlama, prepareLlama } = await import('./engines/llama.mjs');
    const llama = await prepareLlama(options);
    return measure(row, { ...options, open: (job) => openLlama(llama, job) });
  }
  const { openPocketllm } = await import('./engines/pocketllm.mjs');
  return measure(row, { ...options, open: (job) => openPocketllm(side, job) });
}

/** The longest that one process may take. */
const limitMs = 15 * 60_000;

/**
 * Measures in a process of its own. What it prints is part of a failure's text only.
 *
 * @param {SideJob} job
 * @returns {Promise<Outcome>}
 */
export function forkSide(job) {
  const forced = job.isa !== undefined && job.side !== peerName ? { POCKETLLM_CPU_ISA: job.isa } : {};
  const child = fork(fileURLToPath(new URL('worker.mjs', import.meta.url)), {
    env: { ...process.env, ...forced },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      printed = (printed + text).slice(-2000);
    });
  }
  return new Promise((resolve) => {
    /** @type {Outcome | undefined} */
    let outcome;
    child.once('message', (message) => {
      outcome = /** @type {Outcome} */ (message);
    });
    child.once('error', (error) => resolve({ failed: String(error) }));
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      resolve(outcome ?? { failed: `ended by ${signal ?? `status ${code}`}: ${printed.trim()}` });
    });
    child.send(job);
  });
}
