/** What the sixteen codes of iq4_nl and iq4_xs stand for. Denser near zero, as weights are. */
export const iq4Values: Int8Array = Int8Array.from([
  -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113,
]);
