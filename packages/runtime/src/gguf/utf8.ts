// Marks of byte order stay: U+FEFF is a token of real vocabularies.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const strictDecoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });
const encoder = new TextEncoder();

/** Text of UTF-8 bytes, with U+FFFD where they are none, and whether they were sound. */
export function decodeUtf8(bytes: Uint8Array): { text: string; sound: boolean } {
  const text = decoder.decode(bytes);
  // U+FFFD may stand in the file itself. Comparing tells it apart without the cost of a thrown error.
  return { text, sound: !text.includes('\ufffd') || sameBytes(encoder.encode(text), bytes) };
}

/** Text of UTF-8 bytes; undefined where they are none. Costs a thrown error then. */
export function strictUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return undefined;
  }
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
