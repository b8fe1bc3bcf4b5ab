import type { Tokenizer } from '../../tokenizer/index.js';
import { type Compiler, type Handle, Instance } from './binding.js';
import { bitsOf, GrammarConstraint } from './grammar-constraint.js';
import type { TokenTable } from './token-table.js';

/** Grammars that are kept ready. */
const mostKept = 32;

/** An instance of xgrammar that knows a vocabulary, and grammars that it has prepared. */
interface Workshop {
  readonly instance: Instance;
  readonly compiler: Compiler;
  /** By their text, the one that was used last at the end. */
  readonly grammars: Map<string, Handle>;
}

/** Prepares grammars for one vocabulary, and keeps the latest. Loads xgrammar when the first is needed. */
export class CompiledGrammars {
  readonly #tokenizer: Pick<Tokenizer, 'vocabularySize' | 'endOfGeneration'>;
  readonly #table: TokenTable;
  readonly #ends: Int32Array;
  #workshop: Promise<Workshop> | undefined;

  constructor(tokenizer: Pick<Tokenizer, 'vocabularySize' | 'endOfGeneration'>, table: TokenTable) {
    this.#tokenizer = tokenizer;
    this.#table = table;
    this.#ends = bitsOf(tokenizer.endOfGeneration, tokenizer.vocabularySize);
  }

  /** Where in xgrammar's memory the next mebibyte would come to lie: what is in use, for tests and benchmarks. */
  async memory(): Promise<number> {
    const { binding } = (await this.#open()).instance;
    const block = binding.vecIntFromJSArray(new Int32Array(2 ** 18));
    const { byteOffset } = binding.vecIntToView(block);
    block.delete();
    return byteOffset;
  }

  /**
   * A constraint at the start of a text of this grammar, as `writeGrammar` gives it. REQUEST_INVALID where it
   * cannot be prepared.
   */
  async constraint(grammar: string): Promise<GrammarConstraint> {
    const workshop = await this.#open();
    const { instance } = workshop;
    const matcher = instance.guard(
      () => new instance.binding.GrammarMatcher(compiled(workshop, grammar), undefined, false, -1),
    );
    return new GrammarConstraint(instance, matcher, this.#tokenizer.vocabularySize, this.#ends);
  }

  async #open(): Promise<Workshop> {
    this.#workshop ??= this.#make();
    const opened = this.#workshop;
    const workshop = await opened.catch(() => undefined);
    if (workshop && !workshop.instance.hasEnded) return workshop;
    if (this.#workshop === opened) this.#workshop = undefined;
    return workshop ? this.#open() : opened;
  }

  async #make(): Promise<Workshop> {
    const { vocabularySize, endOfGeneration } = this.#tokenizer;
    const instance = await Instance.create();
    const { binding } = instance;
    const vocabulary = binding.vecStringFromJSArray(this.#table.bytes);
    const ends = binding.vecIntFromJSArray([...endOfGeneration]);
    const info = new binding.TokenizerInfo(vocabulary, 'RAW', vocabularySize, ends, false);
    const compiler = new binding.GrammarCompiler(info, 1, false);
    for (const handle of [vocabulary, ends, info]) handle.delete();
    return { instance, compiler, grammars: new Map() };
  }
}

function compiled({ instance, compiler, grammars }: Workshop, text: string): Handle {
  const kept = grammars.get(text);
  grammars.delete(text);
  const grammar = kept ?? compile(instance, compiler, text);
  grammars.set(text, grammar);
  const [oldest] = grammars.keys();
  if (grammars.size > mostKept) {
    // Matchers hold what they need of it.
    grammars.get(oldest!)!.delete();
    grammars.delete(oldest!);
  }
  return grammar;
}

function compile({ binding }: Instance, compiler: Compiler, text: string): Handle {
  const grammar = binding.Grammar.FromEBNF(text, 'root');
  try {
    return compiler.CompileGrammar(grammar);
  } finally {
    grammar.delete();
  }
}
