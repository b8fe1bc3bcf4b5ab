import { type WeightFormatName, weightFormats } from '@pocketllm/abi';

/** Sizes to try, some of them in blocks of the format that the weight of the case has. */
export type SizeList = readonly number[] | ((format: WeightFormatName) => readonly number[]);

/** Each number with those below and above it. */
export const around = (...edges: readonly number[]): number[] =>
  edges.flatMap((edge) => [edge - 1, edge, edge + 1]).filter((size) => size > 0);

/** Whole blocks of the weight's format; plain sizes where it has no blocks. */
export const inBlocks =
  (blocks: readonly number[], plain: readonly number[]): SizeList =>
  (format) => {
    const { weights } = weightFormats[format].block;
    return weights === 1 ? plain : blocks.map((count) => count * weights);
  };

/**
 * Walks all lists together, as often as the longest is long; shorter ones start over. So every entry is tried,
 * entries of lists of one length stay paired, and those of other lengths meet in turn.
 */
export function walk<T>(lists: Readonly<Record<string, readonly T[]>>): Record<string, T>[] {
  const longest = Math.max(1, ...Object.values(lists).map((list) => list.length));
  return Array.from({ length: longest }, (_, i) =>
    Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list[i % list.length]!])),
  );
}

/** The formats that files hold weights in. */
export const storedFormats = (Object.keys(weightFormats) as WeightFormatName[]).filter(
  (format) => weightFormats[format].use === 'weights',
);
