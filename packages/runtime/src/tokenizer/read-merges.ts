import { displayText } from '../gguf/display-text.js';
import { PairMerges } from './pair-merges.js';
import type { Vocabulary } from './vocabulary.js';

/**
 * The merges of a byte-pair vocabulary from their lines, `left right`. Real files have some that name what is no
 * token; these are passed over, with one warning that counts them.
 */
export function readMerges(
  { tokens, index }: Pick<Vocabulary, 'tokens' | 'index'>,
  lines: readonly string[],
  warn: (warning: string) => void,
): PairMerges {
  const left = new Int32Array(lines.length);
  const right = new Int32Array(lines.length);
  const result = new Int32Array(lines.length);
  let count = 0;
  let skippedCount = 0;
  let skipped: string | undefined;
  for (const line of lines) {
    // A token may be a space, so the first character does not separate.
    const space = line.indexOf(' ', 1);
    const parts = [line.slice(0, space), line.slice(space + 1)] as const;
    const whole = parts[0] + parts[1];
    const first = index.plain(parts[0]);
    const second = index.plain(parts[1]);
    const joined = index.plain(whole);
    if (space < 0 || first === undefined || second === undefined || joined === undefined) {
      // What would make a control token is left out too, and no fault.
      if (space < 0 || [...parts, whole].some((text) => index.any(text) === undefined)) {
        skipped ??= line;
        skippedCount++;
      }
      continue;
    }
    left[count] = first;
    right[count] = second;
    result[count] = joined;
    count++;
  }
  if (skipped !== undefined) {
    const example = `the first is "${displayText(skipped)}"`;
    warn(`tokenizer.ggml.merges: ${skippedCount} merges name no token and are passed over; ${example}`);
  }
  return new PairMerges(
    tokens.length,
    left.subarray(0, count),
    right.subarray(0, count),
    result.subarray(0, count),
  );
}
