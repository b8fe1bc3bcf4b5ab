import { CACHE_PAGE_POSITIONS } from '@pocketllm/abi';

/**
 * What a full page holds, apart from the pages in front of it: its token ids, and how many of its rows were fed in
 * phase `prefill`. Those come first in every sequence. A device may use other arithmetic for rows that are decoded,
 * so a page is found again only by what was fed the same way: an answer never depends on who was there before.
 */
export function pageKey(tokens: readonly number[], page: number, prefillRows: number): string {
  const from = page * CACHE_PAGE_POSITIONS;
  const units = new Array<number>(2 * CACHE_PAGE_POSITIONS + 1);
  for (let row = 0; row < CACHE_PAGE_POSITIONS; row++) {
    const token = tokens[from + row]!;
    units[2 * row] = token & 0xffff;
    units[2 * row + 1] = token >>> 16;
  }
  units[2 * CACHE_PAGE_POSITIONS] = Math.max(0, Math.min(prefillRows - from, CACHE_PAGE_POSITIONS));
  return String.fromCharCode(...units);
}
