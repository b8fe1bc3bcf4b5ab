import { setImmediate } from 'node:timers/promises';

/** Long enough that pausing costs little, short enough that a server stays responsive. */
const burstMs = 10;

/**
 * A function to await now and then during long work: when its time has come, it lets everything else run, and then
 * calls `check`, to throw where the work should end.
 */
export function pacer(check: () => void): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < burstMs) return;
    await setImmediate();
    since = performance.now();
    check();
  };
}
