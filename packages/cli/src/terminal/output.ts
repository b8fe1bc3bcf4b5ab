import { once } from 'node:events';
import colors from 'picocolors';
import type { CommandIo, OutputStream } from '../command-io.js';
import { jsonText } from './json-text.js';
import { Progress } from './progress.js';
import { visibleText } from './visible-text.js';

/** What a command says, and where: results on standard output, all else on standard error. */
export class Output {
  readonly #stdout: OutputStream;
  readonly #stderr: OutputStream;
  readonly #errorColors: ReturnType<typeof colors.createColors>;

  constructor(
    io: Pick<CommandIo, 'stdout' | 'stderr' | 'env'>,
    private readonly stop: AbortSignal,
  ) {
    this.#stdout = io.stdout;
    this.#stderr = io.stderr;
    const { NO_COLOR, TERM } = io.env;
    this.#errorColors = colors.createColors(io.stderr.isTTY === true && !NO_COLOR && TERM !== 'dumb');
  }

  /** Columns that a listing may fill. */
  get width(): number {
    return this.#stdout.columns ?? 100;
  }

  /** A listing, as lines. */
  lines(text: string): Promise<void> {
    return this.#result(`${visibleText(text)}\n`);
  }

  json(value: unknown): Promise<void> {
    return this.#result(`${jsonText(value)}\n`);
  }

  /** A piece of the model's text: as it is into a pipe or file, made harmless on a terminal. */
  modelText(text: string): Promise<void> {
    return this.#result(this.#stdout.isTTY ? visibleText(text) : text);
  }

  /** One line of status. */
  note(line: string): void {
    this.#stderr.write(`${visibleText(line)}\n`);
  }

  /** A piece of what the model thinks. */
  reasoning(text: string): void {
    this.#stderr.write(this.#stderr.isTTY ? this.#errorColors.dim(visibleText(text)) : text);
  }

  progress(label: string): Progress {
    return new Progress(this.#stderr, label);
  }

  /** Waits while the reader is slower than we are, unless all is to stop. */
  async #result(text: string): Promise<void> {
    if (this.#stdout.write(text)) return;
    await once(this.#stdout, 'drain', { signal: this.stop }).catch(() => {});
  }
}
