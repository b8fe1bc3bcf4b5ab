/** The byte-level alphabet: the character that stands for each byte in the texts of a byte-level vocabulary. */
export const byteCharacters: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  String.fromCharCode(standsForItself(byte) ? byte : 0x100 + hiddenBelow(byte)),
);

const characterBytes = new Map(byteCharacters.map((character, byte) => [character, byte]));

/** The byte that a character stands for, if it is of the alphabet. */
export function byteOfCharacter(character: string): number | undefined {
  return characterBytes.get(character);
}

/** Printable characters of Latin-1; the others follow from U+0100 on, in order. */
function standsForItself(byte: number): boolean {
  return (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte !== 0xad);
}

function hiddenBelow(byte: number): number {
  let count = 0;
  for (let lower = 0; lower < byte; lower++) if (!standsForItself(lower)) count++;
  return count;
}
