import { CompiledGrammars } from '../../packages/runtime/src/constraint/engine/compiled-grammars.js';
import type { GrammarConstraint } from '../../packages/runtime/src/constraint/engine/grammar-constraint.js';
import { tokenTable } from '../../packages/runtime/src/constraint/engine/token-table.js';
import type { GrammarNode } from '../../packages/runtime/src/constraint/grammar/grammar.js';
import { prepareGrammar } from '../../packages/runtime/src/constraint/grammar/prepare.js';
import { Rules } from '../../packages/runtime/src/constraint/grammar/rules.js';
import { schemaNode } from '../../packages/runtime/src/constraint/schema/schema-grammar.js';
import { Random } from '../../packages/runtime/src/sampling/random.js';

const end = 256;
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/** A vocabulary of the 256 bytes, and a token that ends the answer. */
const tokenizer = {
  vocabularySize: 257,
  suppressed: new Set<number>(),
  endOfGeneration: new Set([end]),
  token: (id: number) => ({
    id,
    text: String(id),
    type: id === end ? ('control' as const) : ('byte' as const),
  }),
  tokenBytes: (id: number) => (id === end ? encoder.encode('<end>') : Uint8Array.of(id)),
};
const table = tokenTable(tokenizer);
const grammars = new CompiledGrammars(tokenizer, table);

/** What a grammar allows, tried byte by byte. */
export class Walker {
  constructor(private readonly grammar: string) {}

  static of(root: GrammarNode, rules = new Rules()): Walker {
    return new Walker(prepareGrammar({ rules: rules.all, root }, table.beginnings, 'grammar'));
  }

  static ofSchema(schema: unknown): Walker {
    const rules = new Rules();
    return Walker.of(schemaNode(schema, 'schema', rules), rules);
  }

  /** Whether it is a whole text of the grammar. */
  async allows(text: string): Promise<boolean> {
    const constraint = await grammars.constraint(this.grammar);
    const fits = constraint.acceptText(text) && isPossible(constraint.possible(), end);
    constraint.dispose();
    return fits;
  }

  /** A text of the grammar, or undefined where it has no end after so many bytes. Ends are taken where they are near. */
  async random(seed: number, most = 500): Promise<string | undefined> {
    const random = new Random(seed);
    const constraint = await grammars.constraint(this.grammar);
    const bytes: number[] = [];
    try {
      while (bytes.length < most) {
        const byte = choose(constraint, random, bytes.length > most / 4);
        if (byte === end) return decoder.decode(Uint8Array.from(bytes));
        constraint.accept(byte);
        bytes.push(byte);
      }
      return undefined;
    } finally {
      constraint.dispose();
    }
  }
}

function choose(constraint: GrammarConstraint, random: Random, isLate: boolean): number {
  const bits = constraint.possible();
  const possible = Array.from({ length: end + 1 }, (_, id) => id).filter((id) => isPossible(bits, id));
  const closing = possible.filter((id) => id === end || '"]},:'.includes(String.fromCharCode(id)));
  const from = closing.length > 0 && random.next() < (isLate ? 0.9 : 0.3) ? closing : possible;
  return from[Math.floor(random.next() * from.length)]!;
}

const isPossible = (bits: Int32Array, id: number) => ((bits[id >> 5]! >>> (id & 31)) & 1) === 1;
