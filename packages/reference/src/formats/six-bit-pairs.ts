/**
 * The scale of sub-block `sub` of q4_k and q5_k, six bits, out of the twelve bytes at `at` that hold eight
 * scales and eight minima.
 */
export function subScaleOf(bytes: Uint8Array, at: number, sub: number): number {
  if (sub < 4) return bytes[at + sub]! & 63;
  return (bytes[at + sub + 4]! & 15) | ((bytes[at + sub - 4]! >> 6) << 4);
}

/** The minimum of sub-block `sub`, six bits. */
export function subMinOf(bytes: Uint8Array, at: number, sub: number): number {
  if (sub < 4) return bytes[at + sub + 4]! & 63;
  return (bytes[at + sub + 4]! >> 4) | ((bytes[at + sub]! >> 6) << 4);
}
