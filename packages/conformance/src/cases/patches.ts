import { ops } from '@pocketllm/abi';
import { casesFor } from './cases-for.js';

export const patchesCases = casesFor(ops.patches, {
  sizes: { height: [4, 28, 6, 8], width: [4, 14, 9, 24], channels: [1, 3, 2, 4] },
  attributes: { size: [4, 14, 3, 1] },
});
