import type { GenerationResult, Model } from '@pocketllm/runtime';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Each metric goes by our own name and by the one that inference gateways and dashboards read. */
const prefixes = ['pocketllm:', 'vllm:'];

const firstTokenBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const tokenBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const requestBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

/** Why answers end, in the words that dashboards know. */
const reasons: Readonly<Record<GenerationResult['finishReason'], string>> = {
  stop: 'stop',
  length: 'length',
  timeout: 'abort',
  cancelled: 'abort',
};

/** What a scrape of /metrics shows. Every series carries the label `model_name`. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #promptTokens = this.#counters('prompt_tokens_total', 'Tokens of prompts that were read.');
  readonly #generatedTokens = this.#counters('generation_tokens_total', 'Tokens that were generated.');
  readonly #finished = this.#counters('request_success_total', 'Answers that ended, by reason.', [
    'finished_reason',
  ]);
  readonly #firstToken = this.#histograms(
    'time_to_first_token_seconds',
    'From the request to the first token, waiting included.',
    firstTokenBuckets,
  );
  readonly #perToken = this.#histograms(
    'time_per_output_token_seconds',
    'Mean time of a token after the first, one observation an answer.',
    tokenBuckets,
  );
  readonly #queued = this.#histograms('request_queue_time_seconds', 'Waiting in the queue.', requestBuckets);
  readonly #whole = this.#histograms(
    'e2e_request_latency_seconds',
    'From the request to its end.',
    requestBuckets,
  );
  readonly #http = new Counter({
    name: 'pocketllm:http_requests_total',
    help: 'HTTP requests by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers: [this.#registry],
  });

  constructor(name: string, model: Pick<Model, 'info' | 'cacheUse' | 'activity'>) {
    this.#registry.setDefaultLabels({ model_name: name });
    const inUse = () => 1 - model.cacheUse.freePages / model.cacheUse.pages;
    const now = () => model.activity;
    this.#gauges('num_requests_running', 'Answers that are made now.', () => now().running);
    this.#gauges('num_requests_waiting', 'Answers that wait for their turn.', () => now().waiting);
    for (const [name, help, value] of [
      ['prefix_cache_queries_total', 'Prompt tokens looked up in the cache.', () => now().lookedUpTokens],
      ['prefix_cache_hits_total', 'Of them, tokens that were there.', () => now().reusedTokens],
      ['num_preemptions_total', 'Answers that gave their pages to older ones.', () => now().preemptions],
      ['spec_decode_num_draft_tokens_total', 'Tokens proposed ahead.', () => now().draftedTokens],
      [
        'spec_decode_num_accepted_tokens_total',
        'Of them, tokens that were right.',
        () => now().acceptedTokens,
      ],
    ] as const) {
      this.#counters(name, help, [], value);
    }
    this.#gauges('kv_cache_usage_perc', 'Pages of the cache in use, 0 to 1.', inUse);
    this.#gauges('gpu_cache_usage_perc', 'The older name of kv_cache_usage_perc.', inUse);
    const { pagePositions, pages } = model.cacheUse;
    for (const gauge of this.#gauges(
      'cache_config_info',
      'The paged cache: tokens a page, pages.',
      undefined,
      ['block_size', 'num_gpu_blocks'],
    )) {
      gauge.set({ block_size: pagePositions, num_gpu_blocks: pages }, 1);
    }
    const { backend, device } = model.info;
    new Gauge({
      name: 'pocketllm:device_info',
      help: 'What the model runs on.',
      labelNames: ['backend', 'device'],
      registers: [this.#registry],
    }).set({ backend, device }, 1);
    new Gauge({
      name: 'process_resident_memory_bytes',
      help: 'Memory of this process.',
      registers: [this.#registry],
      collect() {
        this.set(process.memoryUsage.rss());
      },
    });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  httpRequest(route: string, method: string, status: number): void {
    this.#http.inc({ route, method, status });
  }

  /** One answer ended. */
  answered({ timings, finishReason }: GenerationResult): void {
    const { promptTokens, generatedTokens, queuedMs, firstTokenMs, generationMs } = timings;
    for (const counter of this.#finished) {
      counter.inc({ finished_reason: reasons[finishReason] });
    }
    for (const histogram of this.#queued) histogram.observe(queuedMs / 1000);
    if (generatedTokens === 0) return;
    for (const counter of this.#promptTokens) counter.inc(promptTokens);
    for (const counter of this.#generatedTokens) counter.inc(generatedTokens);
    for (const histogram of this.#firstToken) histogram.observe(firstTokenMs / 1000);
    if (generatedTokens === 1) return;
    for (const histogram of this.#perToken) histogram.observe(generationMs / (generatedTokens - 1) / 1000);
  }

  /** A request ended after this long, and so many of its answers before they were complete. */
  ended(ms: number, unfinished: number): void {
    for (const counter of this.#finished) counter.inc({ finished_reason: 'abort' }, unfinished);
    for (const histogram of this.#whole) histogram.observe(ms / 1000);
  }

  /** `value`: what is counted elsewhere. */
  #counters<Label extends string = never>(
    name: string,
    help: string,
    labelNames: Label[] = [],
    value?: () => number,
  ) {
    const collect = value && {
      collect(this: Counter) {
        this.reset();
        this.inc(value());
      },
    };
    return prefixes.map(
      (prefix) =>
        new Counter<Label>({
          name: prefix + name,
          help,
          labelNames,
          registers: [this.#registry],
          ...collect,
        }),
    );
  }

  #histograms(name: string, help: string, buckets: number[]) {
    return prefixes.map(
      (prefix) => new Histogram({ name: prefix + name, help, buckets, registers: [this.#registry] }),
    );
  }

  #gauges<Label extends string = never>(
    name: string,
    help: string,
    value: (() => number) | undefined,
    labelNames: Label[] = [],
  ) {
    const collect = value && {
      collect(this: Gauge) {
        this.set(value());
      },
    };
    return prefixes.map(
      (prefix) =>
        new Gauge<Label>({ name: prefix + name, help, labelNames, registers: [this.#registry], ...collect }),
    );
  }
}
