import { type CodeBook, levelsOfCodeBook, valuesOfCodeBook } from '@pocketllm/abi';

/** A code book that can be searched. */
export interface Grid {
  /** Weights that a point stands for. */
  readonly width: number;
  /** By point, `width` values each. */
  readonly values: Int8Array;
  /** The highest value, and the gap to the one before. */
  readonly highest: { readonly value: number; readonly gap: number };
  /** The index of the point near `width` targets, by squared distance with the importance from `from` on. */
  readonly nearest: (targets: Float64Array, importance: Float32Array, from: number) => number;
}

/** Points of a book that are looked at for a pattern of levels: at least so many, and no further away. */
const enough = 16;

/**
 * Rounds each target to the nearest level. Where the pattern of levels is a point of the book, that is the
 * answer; else the points at the smallest distances from the pattern are compared. Which those are is found
 * out when a pattern comes up first, and kept.
 */
export function gridOf(book: CodeBook): Grid {
  const { valuesPerEntry: width, bitsPerValue, codes } = book;
  const borders = Float64Array.from(book.levels.slice(1), (level, i) => (book.levels[i]! + level) / 2);
  const [below, highest] = book.levels.slice(-2) as [number, number];
  const values = valuesOfCodeBook(book);
  const levels = levelsOfCodeBook(book);
  const patterns = 1 << (width * bitsPerValue);
  const pointOf = new Int16Array(patterns).fill(-1);
  codes.forEach((code, point) => {
    pointOf[code] = point;
  });
  const neighbours = new Array<Uint16Array | undefined>(patterns);

  return {
    width,
    values,
    highest: { value: highest, gap: highest - below },
    nearest: (targets, importance, from) => {
      let pattern = 0;
      for (let k = 0; k < width; k++) {
        let level = 0;
        while (level < borders.length && targets[k]! > borders[level]!) level++;
        pattern |= level << (bitsPerValue * k);
      }
      if (pointOf[pattern]! >= 0) return pointOf[pattern]!;
      const around = neighbours[pattern] ?? pointsAround(pattern, levels, width, bitsPerValue);
      neighbours[pattern] = around;
      let best = 0;
      let least = Number.POSITIVE_INFINITY;
      for (const point of around) {
        let distance = 0;
        for (let k = 0; k < width && distance < least; k++) {
          const miss = targets[k]! - values[point * width + k]!;
          distance += importance[from + k]! * miss * miss;
        }
        if (distance < least) {
          least = distance;
          best = point;
        }
      }
      return best;
    },
  };
}

/** The points whose levels are nearest to those of a pattern: all at the smallest distances, until there are enough. */
function pointsAround(pattern: number, levels: Uint8Array, width: number, bitsPerValue: number): Uint16Array {
  const mask = (1 << bitsPerValue) - 1;
  const distances = new Uint16Array(levels.length / width);
  for (let point = 0; point < distances.length; point++) {
    let distance = 0;
    for (let k = 0; k < width; k++) {
      const miss = levels[point * width + k]! - ((pattern >> (bitsPerValue * k)) & mask);
      distance += miss * miss;
    }
    distances[point] = distance;
  }
  const around: number[] = [];
  for (const distance of [...new Set(distances)].sort((a, b) => a - b)) {
    if (around.length >= enough) break;
    for (let point = 0; point < distances.length; point++)
      if (distances[point] === distance) around.push(point);
  }
  return Uint16Array.from(around);
}
