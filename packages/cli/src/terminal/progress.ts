import type { OutputStream } from '../command-io.js';
import { secondsText } from './quantity.js';

const barWidth = 24;
const refreshMs = 200;

/**
 * A line on a terminal that says how far something has come, once it has taken more than a second; nothing
 * where the stream is no terminal. Without figures it shows the time alone.
 */
export class Progress {
  readonly #started = performance.now();
  readonly #timer: NodeJS.Timeout | undefined;
  #share: number | undefined;
  #shown = false;

  constructor(
    private readonly stream: OutputStream,
    private readonly label: string,
    private readonly delayMs = 1000,
  ) {
    if (!stream.isTTY) return;
    this.#timer = setInterval(() => this.#draw(), refreshMs);
    this.#timer.unref();
  }

  /** Any unit, as long as it is the same. */
  update(done: number, total: number): void {
    this.#share = total > 0 ? Math.min(done / total, 1) : undefined;
    // Work that never lets the timer run is drawn from here.
    if (this.#timer) this.#draw();
  }

  /** Takes the line away; twice is fine. */
  end(): void {
    clearInterval(this.#timer);
    if (this.#shown) this.stream.write('\r\u001b[K');
    this.#shown = false;
  }

  #draw(): void {
    const elapsed = performance.now() - this.#started;
    if (elapsed < this.delayMs) return;
    this.#shown = true;
    this.stream.write(`\r\u001b[K${this.label}${bar(this.#share)} ${secondsText(elapsed)}`);
  }
}

function bar(share: number | undefined): string {
  if (share === undefined) return '';
  const filled = Math.round(share * barWidth);
  const percent = String(Math.floor(share * 100)).padStart(3);
  return ` [${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}] ${percent} %`;
}
