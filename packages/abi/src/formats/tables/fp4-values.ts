/**
 * What the sixteen E2M1 codes of mxfp4 and nvfp4 stand for, times two so that they are integers; bit 3 is
 * the sign. Decoders halve the scale in return.
 */
export const fp4Values: Int8Array = Int8Array.from([0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12]);
