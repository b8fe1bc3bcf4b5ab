import { byteOfCharacter } from './byte-alphabet.js';
import { spaceMark } from './characters.js';
import { byteOf } from './token-index.js';
import { tokenTypes } from './token-type.js';
import type { Vocabulary } from './vocabulary.js';

const encoder = new TextEncoder();

/** Whether the texts of normal tokens spell bytes in the byte-level alphabet. */
export function isByteLevel({ segmentation }: Pick<Vocabulary, 'segmentation'>): boolean {
  return segmentation.kind === 'byte-pair' && !segmentation.preTokenizer.rawUtf8;
}

/** The bytes that a token stands for: of a control or user-defined token those of its text as it is. */
export function bytesOfToken(vocabulary: Vocabulary, id: number): Uint8Array {
  const text = vocabulary.tokens[id]!;
  const broken = vocabulary.broken.get(id);
  if (broken) return broken;
  switch (vocabulary.types[id]) {
    case tokenTypes.byte: {
      const byte = byteOf(text);
      return byte === undefined ? encoder.encode(text) : Uint8Array.of(byte);
    }
    case tokenTypes.normal:
      return isByteLevel(vocabulary)
        ? fromByteAlphabet(text)
        : encoder.encode(text.replaceAll(spaceMark, ' '));
    default:
      return encoder.encode(text);
  }
}

function fromByteAlphabet(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    const byte = byteOfCharacter(character);
    if (byte === undefined) bytes.push(...encoder.encode(character));
    else bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}
