import type { GenerationOptions } from '@pocketllm/runtime';
import { z } from 'zod';
import { refused, reported, supported } from './field.js';

const number = (least: number, most: number) => z.number().min(least).max(most).optional();

/** Fields that chat and plain completions share. */
export const samplingFields = {
  model: supported(
    z.string().optional(),
    'The name of the model that is served, or nothing. Any other is 404.',
  ),
  stream: supported(z.boolean().optional(), 'Sends the answer as it comes, as server-sent events.'),
  stream_options: supported(
    z
      .strictObject({
        include_usage: z.boolean().optional(),
        include_obfuscation: z.literal(false).optional(),
      })
      .optional(),
    '`include_usage` sends the token counts in a last chunk. `include_obfuscation` may be false only.',
  ),
  n: supported(
    z.int().min(1).max(16).optional(),
    'Answers to make, 1 to 16. With a seed, answer i has seed + i.',
  ),
  temperature: supported(
    number(0, 2),
    '0 to 2; 0 always takes the likeliest token. By default what the file recommends.',
  ),
  top_p: supported(number(0, 1), '0 to 1. By default what the file recommends.'),
  max_tokens: supported(
    z.int().min(1).optional(),
    'Tokens of the answer at most, thinking included; as many as the context has room for by default.',
  ),
  stop: supported(
    z.union([z.string().min(1), z.array(z.string().min(1)).max(16)]).optional(),
    'A text, or up to 16, before which the answer ends.',
  ),
  seed: supported(
    z.int().optional(),
    'The same seed and request give the same answer, on the same backend and version.',
  ),
  presence_penalty: supported(
    number(-2, 2),
    '-2 to 2. Looks at the last 64 tokens, those of the prompt included (`penalty_last_n`).',
  ),
  frequency_penalty: supported(number(-2, 2), '-2 to 2. As `presence_penalty`.'),
  logit_bias: supported(
    z.record(z.string(), z.number().min(-100).max(100)).optional(),
    'Token ids as keys, -100 to 100.',
  ),
  user: reported('Users are not told apart.'),
  top_k: supported(z.int().min(0).optional(), 'Beyond OpenAI: chooses among so many tokens; 0 for all.'),
  min_p: supported(
    number(0, 1),
    'Beyond OpenAI: chooses among tokens this likely, relative to the likeliest.',
  ),
  typical_p: supported(number(0, 1), 'Beyond OpenAI: locally typical sampling.'),
  repetition_penalty: supported(
    z.number().positive().max(10).optional(),
    'Beyond OpenAI: above 1 avoids recent tokens.',
  ),
  penalty_last_n: supported(
    z.int().min(-1).optional(),
    'Beyond OpenAI: tokens the penalties look at; -1 for all.',
  ),
  ignore_eos: supported(z.boolean().optional(), "Beyond OpenAI: goes on after the model's own end."),
  timeout_ms: supported(
    z.int().min(1).optional(),
    'Beyond OpenAI: milliseconds from the request on, waiting included, after which an answer ends as it is, with `finish_reason` length.',
  ),
  on_overflow: supported(
    z.enum(['refuse', 'slide']).optional(),
    'Beyond OpenAI: what becomes of a text that outgrows the context. `refuse`, the default, or `slide`: the start and the latest half stay, and what was between them is forgotten.',
  ),
};

/** Fields of the Chat Completions and Responses APIs that are about OpenAI's service. */
export const serviceFields = {
  store: reported('Nothing is stored.', [false]),
  metadata: reported('Nothing is stored.'),
  service_tier: reported('There is one tier.', ['auto', 'default']),
  safety_identifier: reported('Users are not told apart.'),
  prompt_cache_key: reported('There is no cache by key.'),
  prompt_cache_retention: reported('There is no cache by key.'),
  verbosity: reported('The model has no such setting.', ['medium']),
  moderation: refused('Nothing is moderated here.'),
};

type SamplingRequest = z.output<z.ZodObject<Omit<typeof samplingFields, 'model'>>>;

/** What the runtime is asked for; the seed of answer `index`. */
export function generationOptions(request: SamplingRequest, index: number): GenerationOptions {
  const { stop, seed } = request;
  return given({
    maxTokens: request.max_tokens,
    temperature: request.temperature,
    topK: request.top_k,
    topP: request.top_p,
    minP: request.min_p,
    typicalP: request.typical_p,
    repeatPenalty: request.repetition_penalty,
    presencePenalty: request.presence_penalty,
    frequencyPenalty: request.frequency_penalty,
    penaltyLastN: request.penalty_last_n,
    logitBias: request.logit_bias,
    seed: seed === undefined ? undefined : seed + index,
    stop: typeof stop === 'string' ? [stop] : stop,
    ignoreEos: request.ignore_eos,
    timeoutMs: request.timeout_ms,
    onOverflow: request.on_overflow,
  });
}

/** An object without the fields that are undefined. */
export function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
