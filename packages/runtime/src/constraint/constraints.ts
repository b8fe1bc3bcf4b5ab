import { endsInReasoning, type ReasoningTags, type ToolDefinition } from '../chat/index.js';
import type { TokenConstraint } from '../sampling/index.js';
import type { Tokenizer } from '../tokenizer/index.js';
import { AfterReasoning } from './after-reasoning.js';
import { CompiledGrammars } from './engine/compiled-grammars.js';
import { tokenTable } from './engine/token-table.js';
import { choice, type GrammarNode, nothing, refused, repeat, sequence, text } from './grammar/grammar.js';
import { prepareGrammar } from './grammar/prepare.js';
import { Rules } from './grammar/rules.js';
import { ReasoningTokens } from './reasoning-tokens.js';
import { formatNode, type ResponseFormat } from './response-format.js';
import { callStyleOf, toolCallNode } from './tool-call-grammar.js';

/** Whether tools are called: as the model likes, in any case, or this one. */
export type ToolChoice = 'auto' | 'required' | { readonly name: string };

/** What an answer is to be held to. */
export interface ConstraintOptions {
  /** One that is made already; nothing else may be asked for then. */
  readonly constraint?: MakeConstraint | undefined;
  readonly responseFormat?: ResponseFormat | undefined;
  readonly tools?: readonly ToolDefinition[] | undefined;
  readonly toolChoice?: ToolChoice | undefined;
  readonly parallelCalls?: boolean | undefined;
  readonly enableThinking?: boolean | undefined;
}

/** What a chat template says of answers. */
export interface AnswerHabits {
  readonly source: string;
  readonly reasoning: ReasoningTags | undefined;
  readonly reasoningTokens: ReadonlySet<number>;
}

export type MakeConstraint = () => Promise<TokenConstraint>;

/**
 * Makes constraints for the answers of one vocabulary: what a model does with `responseFormat` and `toolChoice`, for
 * those who choose tokens themselves. Grammars are prepared when the first answer asks for them, and kept.
 */
export class Constraints {
  readonly #tokenizer: Tokenizer;
  readonly #habits: AnswerHabits | undefined;
  #vocabulary: Vocabulary | undefined;

  /** `habits`: of the chat template, where there is one. */
  constructor(tokenizer: Tokenizer, habits?: AnswerHabits | undefined) {
    this.#tokenizer = tokenizer;
    this.#habits = habits;
  }

  /** Of an answer that continues a text. Undefined where it is held to nothing; REQUEST_INVALID for what it cannot be. */
  ofText(options: ConstraintOptions): MakeConstraint | undefined {
    const { responseFormat } = options;
    if (options.constraint) return only(options);
    const rules = new Rules();
    const node = responseFormat && formatNode(responseFormat, rules);
    if (node === undefined) return undefined;
    const { grammars, grammar } = this.#prepare(node, rules, 'responseFormat');
    return () => grammars.constraint(grammar);
  }

  /** Of an answer to a conversation that was made into `prompt`. */
  ofChat(prompt: string, options: ConstraintOptions): MakeConstraint | undefined {
    if (options.constraint) return only(options);
    const rules = new Rules();
    const node = this.#chatNode(options, rules);
    if (node === undefined) return undefined;
    const field =
      options.responseFormat && options.responseFormat.type !== 'text' ? 'responseFormat' : 'tools';
    const { reasoning } = this.#habits ?? {};
    const isInside = reasoning !== undefined && endsInReasoning(prompt, reasoning);
    const isClosed = reasoning !== undefined && prompt.trimEnd().endsWith(reasoning.close);
    if (reasoning === undefined || (!isInside && (isClosed || options.enableThinking === false))) {
      const { grammars, grammar } = this.#prepare(node, rules, field);
      return () => grammars.constraint(grammar);
    }
    const afterTag = sequence(repeat(text('\n'), 0, 2), node);
    const { grammars, grammar, tokens } = this.#prepare(afterTag, rules, field);
    const show = this.#habits?.reasoningTokens;
    return async () => {
      const texts = this.#tokenizer.textStream({ show });
      const answer = await grammars.constraint(grammar);
      return new AfterReasoning(answer, { tags: reasoning, tokens: tokens!, isInside, texts });
    };
  }

  #chatNode(options: ConstraintOptions, rules: Rules): GrammarNode | undefined {
    const { responseFormat, tools = [], toolChoice = 'auto', parallelCalls = true } = options;
    const content = responseFormat && formatNode(responseFormat, rules);
    if (toolChoice === 'auto' && (content === undefined || tools.length === 0)) return content;
    const chosen =
      typeof toolChoice === 'string' ? tools : tools.filter((tool) => tool.function.name === toolChoice.name);
    if (chosen.length === 0) {
      const expected =
        typeof toolChoice === 'string' ? 'tools to choose from' : 'the name of one of the tools';
      throw refused('toolChoice', expected, typeof toolChoice === 'string' ? 'none' : toolChoice.name);
    }
    const style = callStyleOf(this.#habits?.source ?? '');
    const calls = toolCallNode(chosen, style, parallelCalls && typeof toolChoice === 'string', rules);
    return toolChoice === 'auto' ? choice(content ?? nothing, calls) : calls;
  }

  #prepare(root: GrammarNode, rules: Rules, field: string) {
    this.#vocabulary ??= vocabularyOf(this.#tokenizer, this.#habits);
    const { grammars, beginnings, tokens } = this.#vocabulary;
    return { grammars, tokens, grammar: prepareGrammar({ rules: rules.all, root }, beginnings, field) };
  }
}

function only({
  constraint,
  responseFormat,
  toolChoice = 'auto',
}: ConstraintOptions): MakeConstraint | undefined {
  if (responseFormat === undefined && toolChoice === 'auto') return constraint;
  throw refused('constraint', 'only one of constraint, responseFormat and toolChoice', 'several');
}

/** What constraints need to know of a vocabulary; made when the first is asked for. */
interface Vocabulary {
  readonly grammars: CompiledGrammars;
  readonly beginnings: Uint32Array;
  readonly tokens: ReasoningTokens | undefined;
}

function vocabularyOf(tokenizer: Tokenizer, habits: AnswerHabits | undefined): Vocabulary {
  const table = tokenTable(tokenizer);
  const { reasoning, reasoningTokens } = habits ?? {};
  return {
    grammars: new CompiledGrammars(tokenizer, table),
    beginnings: table.beginnings,
    tokens: reasoning && new ReasoningTokens(reasoning, tokenizer, table, reasoningTokens ?? new Set()),
  };
}
