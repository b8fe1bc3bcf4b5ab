/**
 * The data of server-sent events, one by one, from text in pieces of any size. Comments and other fields are left
 * out; an event that is cut off by the end of the text is none.
 */
export async function* eventData(pieces: AsyncIterable<string>): AsyncGenerator<string, void> {
  let rest = '';
  let data: string[] = [];
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop()!;
    for (const line of lines.map((text) => (text.endsWith('\r') ? text.slice(0, -1) : text))) {
      if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
      else if (line === '' && data.length > 0) {
        yield data.join('\n');
        data = [];
      }
    }
  }
}
