import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { CommandIo } from '../command-io.js';
import { type ChatInput, pipeInput, terminalInput } from './chat-input.js';

async function all(input: ChatInput): Promise<string[]> {
  const lines: string[] = [];
  for (let line = await input.next(); line !== undefined; line = await input.next()) lines.push(line);
  return lines;
}

const pipe = (...chunks: (string | Uint8Array)[]) =>
  pipeInput(
    Readable.from(
      chunks.map((chunk) => Buffer.from(chunk)),
      { objectMode: false },
    ),
  );

describe('pipeInput', () => {
  it('gives lines wherever chunks end, the last one without a line feed too', async () => {
    expect(await all(pipe('one\r\nt', 'wo\n\nth', 'ree'))).toEqual(['one', 'two', '', 'three']);
    expect(await all(pipe('one\n'))).toEqual(['one']);
    expect(await all(pipe())).toEqual([]);
  });

  it('keeps characters that are cut by a chunk, and a line end that is', async () => {
    const bytes = Buffer.from('ü\r\nx');
    expect(await all(pipe(bytes.subarray(0, 1), bytes.subarray(1)))).toEqual(['ü', 'x']);
    expect(await all(pipe(bytes.subarray(0, 3), bytes.subarray(3)))).toEqual(['ü', 'x']);
  });

  it('refuses a line without end', async () => {
    const chunk = Buffer.alloc(2 ** 20, 'a');
    function* endless() {
      for (;;) yield chunk;
    }
    await expect(all(pipeInput(Readable.from(endless(), { objectMode: false })))).rejects.toThrow('16777216');
  });

  it('ends a read that waits when it is closed', async () => {
    const input = pipeInput(new PassThrough());
    const line = input.next();
    await input.close();
    expect(await line).toBeUndefined();
  });
});

describe('terminalInput', () => {
  const terminal = () => {
    const stdin = new PassThrough();
    const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
    let interrupts = 0;
    const input = terminalInput({ stdin, stderr } as unknown as CommandIo, () => interrupts++);
    return { stdin, stderr, input, interrupts: () => interrupts };
  };

  it('asks on stderr, gives what is typed, and ends with Ctrl-D', async () => {
    const { stdin, stderr, input } = terminal();
    const line = input.next();
    stdin.write('hello\r');
    expect(await line).toBe('hello');
    expect(String(stderr.read())).toContain('> ');
    const end = input.next();
    stdin.write('\u0004');
    expect(await end).toBeUndefined();
  });

  it('reports Ctrl-C', async () => {
    const { stdin, input, interrupts } = terminal();
    const line = input.next();
    stdin.write('\u0003');
    stdin.write('x\r');
    await line;
    expect(interrupts()).toBe(1);
    await input.close();
    expect(await input.next()).toBeUndefined();
  });
});
