import { beforeAll, describe, expect, it } from 'vitest';
import { taleTokenizer } from '../../../../../tests/support/tale-tokenizer.js';
import type { Tokenizer } from '../../tokenizer/index.js';
import { CompiledGrammars } from './compiled-grammars.js';
import type { GrammarConstraint } from './grammar-constraint.js';
import { type TokenTable, tokenTable } from './token-table.js';

let tokenizer: Tokenizer;
let table: TokenTable;
let grammars: CompiledGrammars;

beforeAll(async () => {
  tokenizer = await taleTokenizer();
  table = tokenTable(tokenizer);
  grammars = new CompiledGrammars(tokenizer, table);
});

function possibleTokens(constraint: GrammarConstraint, rows = tokenizer.vocabularySize): number[] {
  const logits = new Float32Array(rows);
  constraint.mask(logits);
  return [...logits.keys()].filter((id) => logits[id] === 0);
}

describe('a mask', () => {
  it('leaves end tokens alone where the text may end, all of them, and nothing else at its end', async () => {
    const constraint = await grammars.constraint('root ::= "a" "b"?\n');
    const ends = [...tokenizer.endOfGeneration].sort((a, b) => a - b);
    expect(possibleTokens(constraint).some((id) => tokenizer.isEndOfGeneration(id))).toBe(false);
    for (const letter of ['a', 'b']) constraint.accept(tokenizer.encode(letter)[0]!);
    expect(possibleTokens(constraint)).toEqual(ends);
    constraint.accept(ends[0]!);
    expect(possibleTokens(constraint)).toEqual(ends);
    constraint.accept(ends[0]!);
    constraint.dispose();
  });

  it('never leaves a hidden token, or a row that no token names', async () => {
    const constraint = await grammars.constraint('root ::= [\\x00-\\x7f]*\n');
    const hidden = new Set(['control', 'unknown', 'unused']);
    const ids = possibleTokens(constraint, tokenizer.vocabularySize + 70);
    expect(ids.length).toBeGreaterThan(100);
    for (const id of ids) {
      expect(id).toBeLessThan(tokenizer.vocabularySize);
      expect(hidden.has(tokenizer.token(id).type) && !tokenizer.isEndOfGeneration(id)).toBe(false);
    }
    constraint.dispose();
  });

  it('leaves exactly the tokens whose text can come next', async () => {
    const written =
      'root ::= top\ntop ::= "{\\"" [a-z]+ "\\": " (number | "[" number (", " number)* "]") "}"\nnumber ::= "-"? [0-9]{1,4} ("." [0-9]+)?\n';
    for (const text of ['', '{"', '{"fox', '{"fox":', '{"a": [1', '{"a": [12, 3.5', '{"a": 1}']) {
      const constraint = await grammars.constraint(written);
      expect(constraint.acceptText(text)).toBe(true);
      const possible = new Set(possibleTokens(constraint));
      for (const [id, bytes] of table.bytes.entries()) {
        if (bytes.length === 0) continue;
        const tried = await grammars.constraint(written);
        tried.acceptText(text);
        // Bytes that are no whole characters cannot come in this grammar.
        const piece = new TextDecoder().decode(bytes);
        expect(tried.acceptText(piece), `${text} then ${piece}`).toBe(possible.has(id));
        tried.dispose();
      }
      constraint.dispose();
    }
  });
});

describe('a constraint', () => {
  it('refuses a token that it had not left', async () => {
    const constraint = await grammars.constraint('root ::= "a"\n');
    expect(() => constraint.accept(tokenizer.encode('b')[0]!)).toThrow(TypeError);
    constraint.dispose();
  });

  it('is CLOSED once it is disposed of, and twice is fine', async () => {
    const constraint = await grammars.constraint('root ::= "a"\n');
    constraint.dispose();
    constraint.dispose();
    expect(() => constraint.possible()).toThrow(expect.objectContaining({ code: 'CLOSED' }));
  });

  it('goes on while others are made, and after its grammar is forgotten', async () => {
    const first = await grammars.constraint('root ::= "abc"\n');
    for (let index = 0; index < 100; index++) {
      (await grammars.constraint(`root ::= "${index}"\n`)).dispose();
    }
    expect(first.acceptText('ab')).toBe(true);
    expect(first.acceptText('c')).toBe(true);
    first.dispose();
  });
});

describe('what xgrammar cannot prepare', () => {
  it('is REQUEST_INVALID with its reason, and neither running answers nor later ones suffer', async () => {
    const running = await grammars.constraint('root ::= "abc"\n');
    for (const broken of ['root ::= [', 'root ::= other', 'nothing', 'root ::= "a']) {
      await expect(grammars.constraint(broken)).rejects.toMatchObject({
        code: 'REQUEST_INVALID',
        details: { field: 'grammar', found: expect.stringMatching(/^(?!.*\/)/) },
      });
      expect((await grammars.constraint('root ::= "x"\n')).acceptText('x')).toBe(true);
    }
    expect(running.acceptText('abc')).toBe(true);
    running.dispose();
  });
});

describe('memory', () => {
  it('stays flat over 1,000 grammars that are prepared, used and forgotten', async () => {
    const own = new CompiledGrammars(tokenizer, table);
    const cycle = async (index: number) => {
      const constraint = await own.constraint(
        `root ::= "${index}" [a-z]{1,${(index % 7) + 1}} ("x" | "yz")*\n`,
      );
      constraint.acceptText(`${index}abc`.slice(0, 3));
      constraint.possible();
      constraint.dispose();
    };
    for (let index = 0; index < 200; index++) await cycle(index);
    const before = await own.memory();
    for (let index = 200; index < 1200; index++) await cycle(index);
    // Not 20 bytes a grammar; the kept ones differ a little.
    expect(await own.memory()).toBeLessThan(before + 20_000);
  });
});
