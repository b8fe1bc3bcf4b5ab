/**
 * Writes to `ids` the indices of the `ids.length` largest of `values`, largest first. Of equal values the one
 * with the smaller index comes first, and NaN counts as smaller than -infinity.
 */
export function largest(values: Float32Array | Float64Array, ids: Int32Array): void {
  const k = ids.length;
  // A heap with the last in order at its root: what comes before the root takes its place.
  for (let i = 0; i < k; i++) ids[i] = i;
  for (let i = (k >> 1) - 1; i >= 0; i--) siftDown(values, ids, i, k);
  for (let c = k; c < values.length; c++) {
    if (!comesBefore(values, c, ids[0]!)) continue;
    ids[0] = c;
    siftDown(values, ids, 0, k);
  }
  for (let end = k - 1; end > 0; end--) {
    const last = ids[0]!;
    ids[0] = ids[end]!;
    ids[end] = last;
    siftDown(values, ids, 0, end);
  }
}

function siftDown(values: Float32Array | Float64Array, heap: Int32Array, at: number, size: number): void {
  const moved = heap[at]!;
  for (let child = 2 * at + 1; child < size; child = 2 * at + 1) {
    if (child + 1 < size && comesBefore(values, heap[child]!, heap[child + 1]!)) child++;
    if (!comesBefore(values, moved, heap[child]!)) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = moved;
}

function comesBefore(values: Float32Array | Float64Array, a: number, b: number): boolean {
  const x = values[a]!;
  const y = values[b]!;
  if (x > y) return true;
  if (x < y) return false;
  if (x === y || (Number.isNaN(x) && Number.isNaN(y))) return a < b;
  return Number.isNaN(y);
}
