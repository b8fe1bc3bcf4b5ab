import { ops, weightFormats } from '@pocketllm/abi';
import { indicesBelow, integers } from '../data/filler.js';
import { type CallData, floatsOf, type TermsOf } from './case.js';
import { casesFor } from './cases-for.js';
import { inBlocks } from './lists.js';

export const embeddingCases = casesFor(ops.embedding, {
  sizes: { rows: [1, 17, 4], vocabulary: [1, 40, 33], cols: inBlocks([1, 2, 3], [1, 64, 33]) },
  operands: { ids: indicesBelow('vocabulary') },
  terms: { out: decodedWeights },
  edges: {
    'the first and the last row are there': { ids: integers(39, 0) },
    'one id may come twice': { ids: integers(7, 7, 3) },
  },
});

/** A weight is a sum of two terms at most (scale times code, and a minimum), as large as any of its block. */
function decodedWeights(call: CallData): ReturnType<TermsOf> {
  const { weights } = weightFormats[call.format!].block;
  const table = floatsOf(call, 'table');
  const ids = call.inputs.ids!;
  const cols = call.sizes.cols!;
  return (index) => {
    const at = ids[Math.floor(index / cols)]! * cols + (index % cols);
    const block = at - (at % weights);
    let largest = 0;
    for (let i = block; i < block + weights; i++) largest = Math.max(largest, Math.abs(table[i]!));
    return { sums: weights === 1 ? [] : [[2, largest]] };
  };
}
