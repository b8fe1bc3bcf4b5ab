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
  /** Fires when the work is to end. */
  readonly signal: AbortSignal;
  /** Ends one answer early, which counts as complete. */
  finish(index: number): void;
  /** Ends the work and gives its place back; to be called whichever way the request ends, twice is fine. */
  end(): void;
}

/** Makes the answers of a request; each must end when its signal fires. */
export type MakeAnswers = (signalOf: (index: number) => AbortSignal) => readonly Generation[];

interface OpenRun {
  readonly abort: AbortController;
  /** Answers that have not ended, each with what ends it early. */
  readonly open: Map<number, AbortController>;
}

/** One model and the requests to it. */
export class Service {
  readonly #admission: Admission;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly #runs = new Set<OpenRun>();
  readonly #idle = new Set<() => void>();
  #isDraining = false;

  constructor(
    readonly model: Model,
    readonly settings: Settings,
  ) {
    this.#admission = new Admission(model.info.maxSequences, settings.maxQueue);
    this.metrics = new Metrics(settings.modelName, model);
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
    const leave = this.#admission.enter();
    const onGone = () => abort.abort();
    const open = new Map<number, AbortController>();
    const run: OpenRun = { abort, open };
    const end = () => {
      if (!this.#runs.delete(run)) return;
      gone.removeEventListener('abort', onGone);
      abort.abort();
      leave();
      this.metrics.ended(performance.now() - asked, open.size);
      open.clear();
      if (this.#runs.size === 0) for (const resolve of this.#idle) resolve();
    };
    this.#runs.add(run);
    gone.addEventListener('abort', onGone, { once: true });
    if (gone.aborted) onGone();
    const signalOf = (index: number) => {
      const controller = new AbortController();
      open.set(index, controller);
      return AbortSignal.any([abort.signal, controller.signal]);
    };
    try {
      const events = this.#read(makeAnswers(signalOf), open);
      return { events, signal: abort.signal, finish: (index) => open.get(index)?.abort(), end };
    } catch (error) {
      end();
      throw error;
    }
  }

  /** `open`: answers that have not ended. */
  async *#read(
    answers: readonly Generation[],
    open: Map<number, AbortController>,
  ): AsyncGenerator<AnswerEvent, void> {
    for await (const turn of readTogether(answers)) {
      const { index } = turn;
      if ('value' in turn) {
        yield { index, piece: turn.value };
        continue;
      }
      const result = await answers[index]!.result();
      const finish = open.get(index);
      // The request has ended, and its open answers were counted then.
      if (finish === undefined) return;
      const ended: GenerationResult = finish.signal.aborted ? { ...result, finishReason: 'stop' } : result;
      this.metrics.answered(ended);
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
    for (const { abort } of this.#runs) abort.abort();
  }

  /** Throws 404 for any other model than the one that is served. */
  checkModel(name: string | undefined): void {
    const { modelName } = this.settings;
    if (name === undefined || name === modelName) return;
    const message = `There is no model ${JSON.stringify(name.slice(0, 100))}; this server has ${JSON.stringify(modelName)}.`;
    throw new ApiError(message, { status: 404, code: 'model_not_found', param: 'model' });
  }
}
