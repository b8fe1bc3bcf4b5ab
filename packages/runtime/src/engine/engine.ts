import {
  type Cache,
  checkStep,
  type Executable,
  isPocketError,
  PocketError,
  type Program,
  type StepResult,
} from '@pocketllm/abi';
import type { Batch, BatchPart } from './batch.js';
import { BatchSteps } from './batch-step.js';
import { Breather } from './breather.js';
import { LineUp } from './line-up.js';
import { type RowSizes, readNextToken, readRow } from './next-token.js';
import { PageTable } from './page-table.js';
import { type Bounds, Scheduler } from './scheduler.js';
import { Sequence, type SequenceOwner } from './sequence.js';
import { StepCost } from './step-cost.js';

/** What an engine runs. */
export interface EngineParts {
  readonly program: Program;
  readonly executable: Executable;
  readonly cache: Cache;
  /** Logits of a row: ids are below their number. */
  readonly rowSizes: RowSizes;
  /** Elements of a row's hidden state. */
  readonly hiddenSize: number;
  readonly bounds: Bounds;
  /** Texts that may be there at once, whether they are computed, wait or rest; any number where absent. */
  readonly maxUnderWay?: number;
  /** Milliseconds; `performance.now` where absent. */
  readonly now?: () => number;
}

/** What an engine has done so far, and does now. */
export interface EngineCounts {
  /** Texts that are computed, or rest until their reader is ready for more; texts that wait for their turn. */
  readonly running: number;
  readonly waiting: number;
  /** Tokens of texts that were looked up among known pages, and those of them that were found. */
  readonly lookedUpTokens: number;
  readonly reusedTokens: number;
  /** How often a text lost its pages to an older one. */
  readonly preemptions: number;
  /** Tokens that were proposed ahead of their turn, and those of them that were right. */
  readonly draftedTokens: number;
  readonly acceptedTokens: number;
  readonly steps: number;
}

/**
 * The one loop that all texts of a model share. It runs as long as anyone needs rows: forms a step of all who decode
 * and of chunks of prompts, runs it, and hands each owner what came of its rows.
 */
export class Engine {
  readonly table: PageTable;
  readonly #parts: EngineParts;
  readonly #lineUp: LineUp;
  readonly #scheduler: Scheduler;
  readonly #cost = new StepCost();
  readonly #steps: BatchSteps;
  readonly #now: () => number;
  readonly #breather = new Breather();
  #arrivals = 0;
  #isRunning = false;
  #isClosed = false;
  /** The step that runs. */
  #current:
    | { readonly batch: Batch; readonly abort: AbortController; readonly over: Promise<void> }
    | undefined;
  readonly #counts = { lookedUpTokens: 0, reusedTokens: 0, draftedTokens: 0, acceptedTokens: 0, steps: 0 };

  constructor(parts: EngineParts) {
    const { cache, bounds } = parts;
    this.#parts = parts;
    this.#now = parts.now ?? (() => performance.now());
    this.table = new PageTable(cache.spec.pages);
    this.#lineUp = new LineUp(this.table);
    this.#scheduler = new Scheduler(this.#lineUp, this.table, this.#cost, bounds);
    this.#steps = new BatchSteps(cache, bounds.maxRows, bounds.maxOutputs);
  }

  get counts(): EngineCounts {
    const { active, waiting, resting, preemptions } = this.#lineUp;
    const running = active.length + resting.length;
    return { ...this.#counts, running, waiting: waiting.length, preemptions };
  }

  get cache(): Cache {
    return this.#parts.cache;
  }

  /** Texts that are computed at the same time. */
  get maxSequences(): number {
    return this.#parts.bounds.maxSequences;
  }

  /** Takes a text; its owner hears of it from now on. Fails with CLOSED, and with QUEUE_FULL where there are too many. */
  submit(owner: SequenceOwner, tokens: number[], pooling: Sequence['pooling'] = 'none'): Sequence {
    if (this.#isClosed) throw closed();
    const { running, waiting } = this.counts;
    if (running + waiting >= (this.#parts.maxUnderWay ?? Number.POSITIVE_INFINITY)) {
      throw new PocketError('QUEUE_FULL', { underWay: running + waiting });
    }
    const sequence = new Sequence(owner, tokens, this.#arrivals++, pooling);
    this.#lineUp.add(sequence);
    this.#wake();
    return sequence;
  }

  /** The owner reads on. */
  resume(sequence: Sequence): void {
    if (sequence.state !== 'resting') return;
    this.#lineUp.move(sequence, 'waiting');
    this.#wake();
  }

  /**
   * Ends a text: at once, or behind the step that it has rows in, which ends early where nobody else needs it. Over
   * when its owner was told and its pages are free.
   */
  async stop(sequence: Sequence): Promise<void> {
    if (sequence.state === 'over') return;
    sequence.isStopped = true;
    const current = this.#current;
    if (!current?.batch.parts.some((part) => part.sequence === sequence)) return this.#end(sequence);
    if (current.batch.parts.every((part) => part.sequence.isStopped)) current.abort.abort();
    await current.over;
  }

  /** Ends all texts with CLOSED and takes no more. */
  close(): void {
    this.#isClosed = true;
    this.#endAll(closed());
  }

  #wake(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#run();
  }

  /** Never fails: a step that does fails its sequences, and a fault in here all there are. */
  async #run(): Promise<void> {
    // Those who come together share the first step.
    await undefined;
    try {
      for (;;) {
        const batch = this.#scheduler.plan();
        if (batch.isEmpty) return;
        await this.#runBatch(batch);
        await this.#breather.breathe();
      }
    } catch (error) {
      this.#endAll(error);
    } finally {
      this.#isRunning = false;
    }
  }

  async #runBatch(batch: Batch): Promise<void> {
    for (const { sequence } of batch.parts) if (!sequence.hasStarted) this.#start(sequence);
    // One for each step: what a backend leaves behind on a signal goes with it.
    const abort = new AbortController();
    this.#breather.stepBegins();
    // Behind the assignment: a backend may fire signals while it is called.
    const over = Promise.resolve().then(() => this.#runStep(batch, abort.signal));
    this.#current = { batch, abort, over };
    await over;
    this.#current = undefined;
  }

  async #runStep(batch: Batch, signal: AbortSignal): Promise<void> {
    try {
      const step = this.#steps.write(batch);
      checkStep(this.#parts.program, step);
      const started = this.#now();
      const result = await this.#parts.executable.run(step, signal);
      // Whoever is stopped from here on ends at once.
      this.#current = undefined;
      this.#cost.note(batch.decodes, batch.extra, this.#now() - started);
      this.#counts.steps++;
      this.#deliver(batch, result);
    } catch (error) {
      const isOurs = signal.aborted && isPocketError(error, 'CANCELLED');
      for (const { sequence } of batch.parts) this.#end(sequence, isOurs ? undefined : error);
    }
  }

  #start(sequence: Sequence): void {
    sequence.hasStarted = true;
    this.#counts.lookedUpTokens += sequence.tokens.length;
    this.#counts.reusedTokens += sequence.computed;
    sequence.owner.started(sequence.computed);
  }

  #deliver(batch: Batch, result: StepResult): void {
    let output = 0;
    for (const part of batch.parts) {
      const { sequence } = part;
      const first = output;
      output += part.outputs;
      // Closing ends sequences while a step runs.
      if (sequence.state === 'over') continue;
      try {
        if (batch.isPooled) this.#deliverHidden(part, result, first, batch.outputs);
        else this.#deliverTokens(part, result, first, batch.outputs);
        if (sequence.isStopped) this.#end(sequence);
      } catch (error) {
        this.#end(sequence, error);
      }
    }
  }

  #deliverTokens(
    { sequence, rows, outputs }: BatchPart,
    result: StepResult,
    first: number,
    all: number,
  ): void {
    const { rowSizes } = this.#parts;
    const { owner, draft, reads } = sequence;
    sequence.needsLogits = false;
    sequence.computed += rows - outputs;
    let place = 0;
    for (; place < outputs; place++) {
      const choice = owner.choose(readNextToken(result, rowSizes, reads, first + place, all));
      sequence.take(choice, this.table);
      // What is chosen goes on from the draft as long as it is the draft.
      if (choice !== draft[place]) break;
    }
    sequence.drafts.note(draft.length, place);
    this.#counts.draftedTokens += draft.length;
    this.#counts.acceptedTokens += place;
    sequence.publish(this.table);
  }

  #deliverHidden(
    { sequence, rows, outputs }: BatchPart,
    result: StepResult,
    first: number,
    all: number,
  ): void {
    const { hiddenSize } = this.#parts;
    const position = sequence.computed + rows - outputs;
    for (let place = 0; place < outputs; place++) {
      sequence.owner.takeHidden!(readRow(result, 'hidden', hiddenSize, first + place, all), position + place);
    }
    sequence.computed += rows;
    sequence.publish(this.table);
    if (sequence.missing === 0) sequence.isStopped = true;
  }

  #endAll(error: unknown): void {
    const { active, waiting, resting } = this.#lineUp;
    for (const sequence of [...active, ...waiting, ...resting]) this.#end(sequence, error);
  }

  #end(sequence: Sequence, error?: unknown): void {
    if (sequence.state === 'over') return;
    this.#lineUp.drop(sequence);
    sequence.owner.ended(error);
    this.#wake();
  }
}

const closed = () => new PocketError('CLOSED', { what: 'the model' });
