import { ops } from '@pocketllm/abi';
import { type Filler, filled, oneRowOfNaN, scaled } from '../data/filler.js';
import { type CallData, floatsOf, type TermsOf } from './case.js';
import { casesFor } from './cases-for.js';
import { byHead, headOf, softmaxTerms } from './softmax-terms.js';

export const attentionFullCases = [
  ...casesFor(ops.attention_full, {
    sizes: { headSize: [64, 80, 96, 128, 256, 72], valueSize: [64, 80, 96, 128, 256, 48] },
    attributes: { heads: [1, 2, 3, 8, 8, 6], kvHeads: [1, 1, 1, 2, 1, 6], scale: [0.125, 0.3] },
    sequences: [[1], [5], [3, 1, 7], [33, 2], [4], [65]],
    terms: { out: attended },
  }),
  ...casesFor(ops.attention_full, {
    sizes: { headSize: [64], valueSize: [64] },
    attributes: { heads: [4], kvHeads: [2], scale: [0.125] },
    sequences: [[4, 3, 6]],
    terms: { out: attended },
    edges: {
      'rows do not see other sequences': { v: ownSequence },
      'equal scores give the mean': { k: filled(0) },
      'scores beyond the range of exp do not overflow': { q: scaled(40) },
      'values of 6e4 do not overflow': { v: filled(6e4) },
      'a sequence with NaN does not reach the others': { q: oneRowOfNaN, k: oneRowOfNaN, v: oneRowOfNaN },
    },
  }),
];

/** Each row has its own size of values: a row from another sequence would show. */
function ownSequence({ count, sizes }: Parameters<Filler>[0]): Float32Array {
  const cols = count / sizes.rows!;
  return Float32Array.from({ length: count }, (_, i) => 10 ** Math.floor(i / cols / 4));
}

function attended(call: CallData): ReturnType<TermsOf> {
  const [q, k, v] = [floatsOf(call, 'q'), floatsOf(call, 'k'), floatsOf(call, 'v')];
  const { heads, kvHeads, headSize, valueSize } = call.sizes as Record<string, number> & {
    heads: number;
    kvHeads: number;
    headSize: number;
    valueSize: number;
  };
  const sequenceOf = call.sequences.flatMap((rows, index) => Array<number>(rows).fill(index));
  return byHead(valueSize, (rowAndHead) => {
    const row = Math.floor(rowAndHead / heads);
    const head = rowAndHead % heads;
    const kvHead = Math.floor(head / (heads / kvHeads));
    const others = sequenceOf.flatMap((sequence, other) => (sequence === sequenceOf[row] ? [other] : []));
    return softmaxTerms({
      q: headOf(q, row, heads, head, headSize),
      keys: others.map((other) => headOf(k, other, kvHeads, kvHead, headSize)),
      values: others.map((other) => headOf(v, other, kvHeads, kvHead, valueSize)),
      scale: call.attributes.scale as number,
      softcap: 0,
      sink: undefined,
    });
  });
}
