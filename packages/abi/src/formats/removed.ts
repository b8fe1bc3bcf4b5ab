/** A GGUF type id that once was a weight format and is none any more. */
export interface RemovedGgufType {
  readonly name: string;
  readonly reason: string;
}

const dropped = 'it was dropped from GGUF; convert the model again from its source';
const interleaved = 'it holds rows interleaved for one processor; use the plain form of the format';

/** Type ids that old files may carry, with the reason why no version reads them. */
export const removedGgufTypes: ReadonlyMap<number, RemovedGgufType> = new Map([
  [4, { name: 'q4_2', reason: dropped }],
  [5, { name: 'q4_3', reason: dropped }],
  [31, { name: 'q4_0_4_4', reason: interleaved }],
  [32, { name: 'q4_0_4_8', reason: interleaved }],
  [33, { name: 'q4_0_8_8', reason: interleaved }],
  [36, { name: 'iq4_nl_4_4', reason: interleaved }],
  [37, { name: 'iq4_nl_4_8', reason: interleaved }],
  [38, { name: 'iq4_nl_8_8', reason: interleaved }],
]);

/** First of the ids that a fork of llama.cpp has given to formats of its own. */
const firstPrivateType = 97;

/** Words for a refusal: what a type id without a format is, as far as anyone can tell. */
export function describeUnknownGgufType(ggufType: number): string {
  const removed = removedGgufTypes.get(ggufType);
  if (removed) return `type ${ggufType} (${removed.name}): ${removed.reason}`;
  return ggufType >= firstPrivateType
    ? `type ${ggufType}: a private format of the ik_llama.cpp fork, or a damaged file`
    : `type ${ggufType}: not a format of version 1`;
}
