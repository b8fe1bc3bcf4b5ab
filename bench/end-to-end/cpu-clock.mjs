// @ts-check
import { readFileSync } from 'node:fs';

/** Times in units of 10 ms since the system started: all processors together, by what they did. */
function systemTicks() {
  const fields = readFileSync('/proc/stat', 'utf8')
    .split('\n', 1)[0]
    ?.trim()
    .split(/\s+/)
    .slice(1, 9)
    .map(Number);
  const [user = 0, nice = 0, system = 0, , , interrupts = 0, soft = 0, stolen = 0] = fields ?? [];
  return user + nice + system + interrupts + soft + stolen;
}

const ticksPerMs = 0.1;

/** How many cores anything but this process used since the clock was made. On Linux; 0 elsewhere. */
export class CpuClock {
  #started = performance.now();
  #own = process.cpuUsage();
  #system = process.platform === 'linux' ? systemTicks() : 0;

  otherCores() {
    if (process.platform !== 'linux') return 0;
    const ms = performance.now() - this.#started;
    const { user, system } = process.cpuUsage(this.#own);
    const others = (systemTicks() - this.#system) / ticksPerMs - (user + system) / 1000;
    return Math.max(0, others / ms);
  }
}

/** Cores in use by others that still count as quiet. A system keeps a twentieth of each from realtime work. */
export const quietCores = 0.15;

/** Waits until the rest of the machine is quiet, or the time is over. @param {number} seconds */
export async function waitForQuiet(seconds) {
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    const clock = new CpuClock();
    await new Promise((resolve) => setTimeout(resolve, 500));
    if (clock.otherCores() <= quietCores) return;
  }
}
