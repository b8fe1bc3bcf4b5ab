/**
 * Signs of eight weights from the seven bits that iq2_xxs, iq2_xs and iq3_xxs store: a set bit k makes
 * weight k negative. Bit 7 is the parity of the other seven, so the number of negatives is always even.
 */
export const evenSigns: Uint8Array = Uint8Array.from({ length: 128 }, (_, stored) => {
  let parity = 0;
  for (let bits = stored; bits !== 0; bits >>= 1) parity ^= bits & 1;
  return stored | (parity << 7);
});
