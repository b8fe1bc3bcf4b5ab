import type { GgufMetadata, GgufValue } from '@pocketllm/runtime';

/** One key of a file's header. Of an array only the first elements are kept. */
export interface KeyListing {
  readonly key: string;
  /** `uint32`, `string`, ...; of an array `array of uint32`. */
  readonly type: string;
  readonly value: unknown;
  /** Elements of an array in all. */
  readonly length?: number;
}

const shownElements = 8;

export const listKeys = (metadata: GgufMetadata): KeyListing[] =>
  [...metadata].map(([key, value]) => listing(key, value));

function listing(key: string, value: GgufValue): KeyListing {
  if (value.type !== 'array') return { key, type: value.type, value: value.value };
  const first = [...value.values.slice(0, shownElements)];
  const elements = value.elementType === 'bool' ? first.map((element) => element === 1) : first;
  return { key, type: `array of ${value.elementType}`, value: elements, length: value.values.length };
}
