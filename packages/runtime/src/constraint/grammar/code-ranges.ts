/** Code points from the first to the last. */
export type CodeRange = readonly [first: number, last: number];

const surrogates: CodeRange = [0xd800, 0xdfff];
const lastCodePoint = 0x10ffff;

/** Every character. Surrogates are none. */
export const anyCharacter: readonly CodeRange[] = without([[0, lastCodePoint]], [surrogates]);

/** Sorted, joined where they touch, and without surrogates. */
export function unionOf(ranges: readonly CodeRange[]): readonly CodeRange[] {
  return without(joined(ranges), [surrogates]);
}

/** The characters that are not in `ranges`. */
export const complementOf = (ranges: readonly CodeRange[]) => without(anyCharacter, ranges);

/** What of `ranges` is not in `taken`. */
export function without(ranges: readonly CodeRange[], taken: readonly CodeRange[]): readonly CodeRange[] {
  let rest = [...ranges];
  for (const [first, last] of taken) {
    rest = rest.flatMap(([from, to]): CodeRange[] => {
      if (last < from || first > to) return [[from, to]];
      const pieces: CodeRange[] = [];
      if (from < first) pieces.push([from, first - 1]);
      if (to > last) pieces.push([last + 1, to]);
      return pieces;
    });
  }
  return rest;
}

/** What is in both. */
export const intersectionOf = (ranges: readonly CodeRange[], others: readonly CodeRange[]) =>
  without(joined(ranges), complementOf(joined(others)));

function joined(ranges: readonly CodeRange[]): readonly CodeRange[] {
  const result: [number, number][] = [];
  for (const [first, last] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const previous = result.at(-1);
    if (previous && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last);
    else result.push([first, last]);
  }
  return result;
}

/** Bytes from the first to the last. */
export type ByteRange = readonly [first: number, last: number];

/** The UTF-8 of characters: each way is one range of bytes for each byte of the character. */
export function utf8Ways(ranges: readonly CodeRange[]): readonly (readonly ByteRange[])[] {
  return ranges.flatMap(([first, last]) =>
    lengthLimits.flatMap(([from, to, length]) =>
      first <= to && last >= from ? ways(Math.max(first, from), Math.min(last, to), length) : [],
    ),
  );
}

/** Characters by how many bytes they have. */
const lengthLimits = [
  [0, 0x7f, 1],
  [0x80, 0x7ff, 2],
  [0x800, 0xffff, 3],
  [0x10000, lastCodePoint, 4],
] as const;

const leads = [0, 0, 0xc0, 0xe0, 0xf0];

/** `length` bytes each; cut until only the last bytes differ, or all that follow run over all their values. */
function ways(first: number, last: number, length: number): ByteRange[][] {
  for (let tail = length - 1; tail > 0; tail--) {
    const span = 2 ** (6 * tail);
    if (Math.floor(first / span) === Math.floor(last / span)) continue;
    if (first % span !== 0) {
      const cut = (Math.floor(first / span) + 1) * span;
      return [...ways(first, cut - 1, length), ...ways(cut, last, length)];
    }
    if ((last + 1) % span !== 0) {
      const cut = Math.floor(last / span) * span;
      return [...ways(first, cut - 1, length), ...ways(cut, last, length)];
    }
  }
  return [
    Array.from({ length }, (_, place): ByteRange => {
      const shift = 2 ** (6 * (length - 1 - place));
      const base = place === 0 ? leads[length]! : 0x80;
      const of = (code: number) =>
        base + (place === 0 ? Math.floor(code / shift) : Math.floor(code / shift) % 64);
      return length === 1 ? [first, last] : [of(first), of(last)];
    }),
  ];
}
