import type { GenerationResult } from '@pocketllm/runtime';
import { describe, expect, it } from 'vitest';
import { Metrics } from './metrics.js';

const model = {
  info: { backend: 'reference', device: 'cpu "0"' },
  cacheUse: { pagePositions: 32, pages: 8, freePages: 6, keptPages: 1 },
  activity: {
    running: 3,
    waiting: 2,
    lookedUpTokens: 900,
    reusedTokens: 640,
    preemptions: 4,
    draftedTokens: 50,
    acceptedTokens: 30,
    steps: 7,
  },
} as ConstructorParameters<typeof Metrics>[1];

const result = (finishReason: GenerationResult['finishReason'], generatedTokens: number, queuedMs = 0) =>
  ({
    finishReason,
    timings: {
      promptTokens: 10,
      queuedMs,
      promptMs: 50,
      firstTokenMs: 100 + queuedMs,
      generatedTokens,
      generationMs: 400,
    },
  }) as GenerationResult;

describe('metrics', () => {
  it('go by our names and by those that gateways read', async () => {
    const metrics = new Metrics('tale', model);
    metrics.answered(result('stop', 5, 500));
    metrics.answered(result('length', 1));
    metrics.ended(900, 1);
    const text = await metrics.text();
    for (const prefix of ['pocketllm', 'vllm']) {
      for (const line of [
        'num_requests_running{model_name="tale"} 3',
        'num_requests_waiting{model_name="tale"} 2',
        'kv_cache_usage_perc{model_name="tale"} 0.25',
        'gpu_cache_usage_perc{model_name="tale"} 0.25',
        'cache_config_info{block_size="32",num_gpu_blocks="8",model_name="tale"} 1',
        'prompt_tokens_total{model_name="tale"} 20',
        'generation_tokens_total{model_name="tale"} 6',
        'request_success_total{finished_reason="stop",model_name="tale"} 1',
        'request_success_total{finished_reason="abort",model_name="tale"} 1',
        'time_to_first_token_seconds_bucket{le="0.5",model_name="tale"} 1',
        'time_to_first_token_seconds_bucket{le="1",model_name="tale"} 2',
        'time_per_output_token_seconds_count{model_name="tale"} 1',
        'time_per_output_token_seconds_sum{model_name="tale"} 0.1',
        'request_queue_time_seconds_sum{model_name="tale"} 0.5',
        'prefix_cache_queries_total{model_name="tale"} 900',
        'prefix_cache_hits_total{model_name="tale"} 640',
        'num_preemptions_total{model_name="tale"} 4',
        'spec_decode_num_draft_tokens_total{model_name="tale"} 50',
        'spec_decode_num_accepted_tokens_total{model_name="tale"} 30',
        'e2e_request_latency_seconds_sum{model_name="tale"} 0.9',
      ]) {
        expect(text).toContain(`${prefix}:${line}\n`);
      }
    }
    expect(text).toContain(
      'pocketllm:device_info{backend="reference",device="cpu \\"0\\"",model_name="tale"} 1',
    );
  });

  it('count no tokens of an answer that ended before its first', async () => {
    const metrics = new Metrics('tale', model);
    metrics.answered(result('cancelled', 0));
    const text = await metrics.text();
    expect(text).toContain('pocketllm:prompt_tokens_total{model_name="tale"} 0\n');
    expect(text).toContain('pocketllm:request_success_total{finished_reason="abort",model_name="tale"} 1\n');
  });
});
