import { refused } from '../grammar/grammar.js';

/** What of xgrammar's binding is used. Objects live in its memory until they are deleted. */
export interface XgrammarBinding {
  readonly HEAPU8: Uint8Array;
  vecStringFromJSArray(values: readonly Uint8Array[]): Handle;
  vecIntFromJSArray(values: ArrayLike<number>): Handle;
  vecIntToView(vector: Handle): Int32Array;
  readonly Grammar: { FromEBNF(text: string, root: string): Handle };
  readonly TokenizerInfo: new (
    vocabulary: Handle,
    kind: 'RAW',
    size: number,
    stops: Handle,
    prependSpace: boolean,
  ) => Handle;
  readonly GrammarCompiler: new (tokenizer: Handle, threads: number, cache: boolean) => Compiler;
  readonly GrammarMatcher: new (
    grammar: Handle,
    stops: undefined,
    endsWithoutStop: boolean,
    rollback: number,
  ) => Matcher;
}

export interface Handle {
  delete(): void;
}

export interface Compiler extends Handle {
  CompileGrammar(grammar: Handle): Handle;
}

export interface Matcher extends Handle {
  /** One bit a token. Not to be asked for after the end. */
  GetNextTokenBitmask(vocabularySize: number): Handle;
  AcceptToken(token: number, verbose: boolean): boolean;
  AcceptString(text: string, verbose: boolean): boolean;
  /** Whether an end token was accepted. */
  IsTerminated(): boolean;
}

/** Where xgrammar gives up it ends its whole instance: what it wrote before that is the reason. */
export class Instance {
  #lastWords = '';
  #hasEnded = false;

  private constructor(readonly binding: XgrammarBinding) {}

  static async create(): Promise<Instance> {
    // Packed in by the build, and loaded when it is first needed: scripts/xgrammar-module.mjs.
    const loaded: unknown = await import('@mlc-ai/web-xgrammar');
    const { default: create } = loaded as { default: (options: object) => Promise<XgrammarBinding> };
    let instance: Instance | undefined;
    const note = (line: string) => {
      if (instance && !line.startsWith('Aborted(')) instance.#lastWords = line;
    };
    instance = new Instance(await create({ print: note, printErr: note }));
    return instance;
  }

  /** Whether it has ended. What was made in it may still be used and given back; nothing new is to be made. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Runs something of the binding. REQUEST_INVALID where that ends the instance. */
  guard<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof Error) || !endings.has(error.name)) throw error;
      this.#hasEnded = true;
      // Without where in its source.
      const reason = this.#lastWords.replace(/^\[\w+\] \S+:\d+: /, '');
      throw refused('grammar', 'a grammar that can be prepared', reason || error.message);
    }
  }
}

/** What WebAssembly throws where it gives up, or its stack or memory ends. */
const endings = new Set(['RuntimeError', 'RangeError']);
