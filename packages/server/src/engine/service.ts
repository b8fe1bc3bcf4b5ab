import type { Generation, GenerationPiece, GenerationResult, Logger, Model } from '@pocketllm/runtime';
import { ApiError } from '../errors/api-error.js';
import { Metrics } from '../metrics/metrics.js';
import type { Settings } from '../options.js';
import { Admission } from './admission.js';
import { readTogether } from './read-together.js';

/** What happens to one answer of a request. */
export type AnswerEvent =
  | { readonly index: number; readonly piece: GenerationPiece }
  | { readonly index: number; readonly result: GenerationResult };

/** A request on its way: its answers, once somebody reads them. */
export interface Run {
  /** Read once. */
  readonly events: AsyncGenerator<AnswerEvent, void>;
  /** Ends one answer early, which counts as complete. */
  finish(index: number): void;
  /** Ends the work and gives its place back; to be called whichever way the request ends, twice is fine. */
  end(): void;
}

/** Makes the answers of a request; each must end when its signal fires. */
export type MakeAnswers = (signalOf: (index: number) => AbortSignal) => readonly Generation[];

/** One model and the requests to it. */
export class Service {
  readonly admission: Admission;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly #runs = new Set<AbortController>();
  readonly #idle = new Set<() => void>();
  #isDraining = false;

  constructor(
    readonly model: Model,
    readonly settings: Settings,
  ) {
    this.admission = new Admission(settings.maxRunning, settings.maxQueue);
    this.metrics = new Metrics(settings.modelName, model, this.admission);
    this.logger = settings.logger;
  }

  /** Whether no new requests are taken. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Takes a request, or throws: 429 where the queue is full, and what `makeAnswers` throws. */
  start(gone: AbortSignal, makeAnswers: MakeAnswers): Run {
    const asked = performance.now();
    const abort = new AbortController();
    const ticket = this.admission.enter(abort.signal);
    const onGone = () => abort.abort();
    const open = new Map<number, AbortController>();
    const end = () => {
      if (!this.#runs.delete(abort)) return;
      gone.removeEventListener('abort', onGone);
      abort.abort();
      ticket.release();
      this.metrics.ended(performance.now() - asked, open.size);
      if (this.#runs.size === 0) for (const resolve of this.#idle) resolve();
    };
    this.#runs.add(abort);
    gone.addEventListener('abort', onGone, { once: true });
    if (gone.aborted) onGone();
    const signalOf = (index: number) => {
      const controller = new AbortController();
      open.set(index, controller);
      return AbortSignal.any([abort.signal, controller.signal]);
    };
    try {
      const answers = makeAnswers(signalOf);
      const events = this.#read(
        answers,
        open,
        ticket.ready.then(() => performance.now() - asked),
      );
      return { events, finish: (index) => open.get(index)?.abort(), end };
    } catch (error) {
      end();
      throw error;
    }
  }

  /** `open`: answers that have not ended. `queued`: resolves when they may begin, to the time waited. */
  async *#read(
    answers: readonly Generation[],
    open: Map<number, AbortController>,
    queued: Promise<number>,
  ): AsyncGenerator<AnswerEvent, void> {
    const queuedMs = await queued;
    this.metrics.queued(queuedMs);
    for await (const turn of readTogether(answers)) {
      const { index } = turn;
      if ('value' in turn) {
        yield { index, piece: turn.value };
        continue;
      }
      const result = await answers[index]!.result();
      const isEarly = open.get(index)!.signal.aborted;
      const ended: GenerationResult = isEarly ? { ...result, finishReason: 'stop' } : result;
      this.metrics.answered(ended, queuedMs);
      open.delete(index);
      yield { index, result: ended };
    }
  }

  /** Takes no more requests; resolves when none is left. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    if (this.#runs.size > 0) await new Promise<void>((resolve) => this.#idle.add(resolve));
  }

  /** Ends what is still running. */
  abortAll(): void {
    for (const run of this.#runs) run.abort();
  }

  /** Throws 404 for any other model than the one that is served. */
  checkModel(name: string | undefined): void {
    const { modelName } = this.settings;
    if (name === undefined || name === modelName) return;
    const message = `There is no model ${JSON.stringify(name.slice(0, 100))}; this server has ${JSON.stringify(modelName)}.`;
    throw new ApiError(message, { status: 404, code: 'model_not_found', param: 'model' });
  }
}
