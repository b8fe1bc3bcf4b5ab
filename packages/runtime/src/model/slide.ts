import { CACHE_PAGE_POSITIONS } from '@pocketllm/abi';

/**
 * What stays of a text that has filled its context: the first page of tokens, which attention leans on whatever they
 * say, and the last ones, up to half of the context together. So a text slides once in half a context of new tokens.
 */
export function slide(tokens: readonly number[], maxModelLen: number): number[] {
  const kept = Math.max(Math.floor(maxModelLen / 2), 1);
  const first = Math.min(CACHE_PAGE_POSITIONS, Math.floor(kept / 2));
  return [...tokens.slice(0, first), ...tokens.slice(tokens.length - (kept - first))];
}
