// @ts-check
// Which weight format each tensor of a file type has, as llama-quantize chooses for a dense model with tied
// embeddings and two query heads a key head.

/** @typedef {import('@pocketllm/abi').WeightFormatName} FormatName */
/** @typedef {import('./shape.mjs').Kind} Kind */
/**
 * `fileType` is the number that GGUF keeps for the whole file. `format` gives the format of a matrix.
 *
 * @typedef {{ fileType: number, format: (kind: Kind, layer: number, layers: number) => FormatName }} Mix
 */

/** @param {FormatName} base @param {FormatName} embedding @returns {Mix['format']} */
const plain = (base, embedding) => (kind) => (kind === 'embedding' ? embedding : base);

/** The first and last eighth of the layers, and every third between them. @param {number} layer @param {number} layers */
const favoured = (layer, layers) =>
  layer < Math.floor(layers / 8) ||
  layer >= Math.floor((7 * layers) / 8) ||
  (layer - Math.floor(layers / 8)) % 3 === 2;

/** @param {FormatName} base @returns {Mix['format']} */
const medium = (base) => (kind, layer, layers) => {
  if (kind === 'embedding') return 'q6_k';
  return (kind === 'v' || kind === 'down') && favoured(layer, layers) ? 'q6_k' : base;
};

/** @param {FormatName} base @param {FormatName} o @returns {Mix['format']} */
const low =
  (base, o = base) =>
  (kind, layer, layers) => {
    if (kind === 'embedding') return 'q5_k';
    if (kind === 'o') return o;
    return kind === 'v' || (kind === 'down' && layer < Math.floor(layers / 8)) ? 'q2_k' : base;
  };

/** @type {Readonly<Record<string, Mix>>} */
export const mixes = {
  f16: { fileType: 1, format: plain('f16', 'f16') },
  bf16: { fileType: 32, format: plain('bf16', 'bf16') },
  q8_0: { fileType: 7, format: plain('q8_0', 'q8_0') },
  q6_k: { fileType: 18, format: plain('q6_k', 'q6_k') },
  q5_k_m: { fileType: 17, format: medium('q5_k') },
  q4_k_m: { fileType: 15, format: medium('q4_k') },
  q4_0: { fileType: 2, format: plain('q4_0', 'q6_k') },
  q2_k: {
    fileType: 10,
    format: (kind) => {
      if (kind === 'embedding') return 'q6_k';
      return kind === 'v' || kind === 'o' || kind === 'down' ? 'q3_k' : 'q2_k';
    },
  },
  iq2_xs: { fileType: 20, format: low('iq2_xs') },
  iq2_xxs: { fileType: 19, format: low('iq2_xxs') },
  iq1_m: { fileType: 31, format: low('iq1_m', 'iq2_xxs') },
  iq1_s: { fileType: 24, format: low('iq1_s', 'iq2_xxs') },
  tq2_0: { fileType: 37, format: plain('tq2_0', 'q6_k') },
  tq1_0: { fileType: 36, format: plain('tq1_0', 'q6_k') },
};
