import { describe, expect, it } from 'vitest';
import { readTogether, type Turn } from './read-together.js';

const left: string[] = [];

async function* counting(name: string, to: number, ms: number) {
  try {
    for (let count = 1; count <= to; count++) {
      await new Promise((resolve) => setTimeout(resolve, ms));
      yield `${name}${count}`;
    }
  } finally {
    left.push(name);
  }
}

describe('readTogether', () => {
  it('gives everything of all sources, each in its order, and says when one ends', async () => {
    const turns: Turn<string>[] = [];
    for await (const turn of readTogether([counting('a', 2, 1), counting('b', 3, 3), counting('c', 0, 1)])) {
      turns.push(turn);
    }
    const of = (index: number) => turns.filter((turn) => turn.index === index);
    expect(of(0)).toEqual([
      { index: 0, value: 'a1' },
      { index: 0, value: 'a2' },
      { index: 0, ended: true },
    ]);
    expect(of(1)).toHaveLength(4);
    expect(of(2)).toEqual([{ index: 2, ended: true }]);
  });

  it('ends all when the reader leaves', async () => {
    left.length = 0;
    for await (const _ of readTogether([counting('a', 9, 1), counting('b', 9, 1)])) break;
    expect(left.sort()).toEqual(['a', 'b']);
  });

  it('ends all when one fails', async () => {
    left.length = 0;
    // biome-ignore lint/correctness/useYield: it fails before its first piece
    async function* failing(): AsyncGenerator<string> {
      throw new Error('lost');
    }
    const read = async () => {
      for await (const _ of readTogether([counting('a', 9, 1), failing()]));
    };
    await expect(read()).rejects.toThrow('lost');
    expect(left).toEqual(['a']);
  });
});
