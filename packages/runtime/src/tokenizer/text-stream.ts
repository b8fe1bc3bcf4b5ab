/**
 * Makes text of tokens as they come, and never splits a character: the bytes of one that is not complete are
 * held back, three at most. Bytes that are no UTF-8 come out as U+FFFD.
 */
export interface TextStream {
  /** The text that has become certain with this token, often none. An id that is none is REQUEST_INVALID. */
  push(id: number): string;
  /** Ends the text: U+FFFD where bytes were held back, else nothing. */
  flush(): string;
}

/** `bytes` gives what a token adds to the text. */
export function textStream(bytes: (id: number) => Uint8Array): TextStream {
  // A mark of byte order is text: U+FEFF is a token of real vocabularies.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return {
    push: (id) => decoder.decode(bytes(id), { stream: true }),
    flush: () => decoder.decode(),
  };
}
