/** A value with the ops between which it must be kept, the first and the last included. */
export interface Lifetime {
  readonly bytes: number;
  readonly from: number;
  readonly to: number;
}

const alignment = 64;

/**
 * Gives each value a place in one block of memory, so that values which are needed at the same time do not
 * overlap: each goes to the lowest gap that is free for its whole life.
 *
 * @param lifetimes by the op at which they begin
 */
export function placeInArena(lifetimes: readonly Lifetime[]): { offsets: number[]; bytes: number } {
  let total = 0;
  let living: { offset: number; end: number; to: number }[] = [];
  const offsets = lifetimes.map(({ bytes, from, to }) => {
    living = living.filter((other) => other.to >= from);
    const size = Math.ceil(bytes / alignment) * alignment;
    let offset = 0;
    for (const other of living) {
      if (offset + size <= other.offset) break;
      offset = Math.max(offset, other.end);
    }
    const place = { offset, end: offset + size, to };
    living.push(place);
    living.sort((a, b) => a.offset - b.offset);
    total = Math.max(total, place.end);
    return offset;
  });
  return { offsets, bytes: total };
}
