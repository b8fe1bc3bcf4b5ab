import type { GenerationResult } from '@pocketllm/runtime';

/** Tokens of a request: of each prompt once, and of all answers, thinking included. */
export interface Usage {
  readonly prompt_tokens: number;
  /** Of them, those that were in the cache already. */
  readonly prompt_tokens_details: { readonly cached_tokens: number };
  readonly completion_tokens: number;
  readonly total_tokens: number;
}

/** `answersPerPrompt` neighbours answer the same prompt. */
export function usageOf(results: readonly GenerationResult[], answersPerPrompt: number): Usage {
  const prompts = results.filter((_, index) => index % answersPerPrompt === 0);
  const prompt_tokens = prompts.reduce((sum, { timings }) => sum + timings.promptTokens, 0);
  const cached_tokens = prompts.reduce((sum, { timings }) => sum + timings.cachedTokens, 0);
  const completion_tokens = results.reduce((sum, { timings }) => sum + timings.generatedTokens, 0);
  return {
    prompt_tokens,
    prompt_tokens_details: { cached_tokens },
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
  };
}
