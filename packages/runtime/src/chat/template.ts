/**
 * Chat templates: a conversation made into the prompt that a model was trained on.
 *
 * The grammar is read by @huggingface/jinja; the tree is run by the interpreter in `jinja/`. The package's own
 * Interpreter could not be used for two reasons. Its filters and methods do unbounded work within one call of
 * evaluate() (`range(1e7)`, a replace that multiplies, tojson of a list that holds itself 2^40 times over, an
 * empty loop body), so counting those calls bounds neither time nor memory. And it works on plain strings, which
 * forget who wrote them.
 *
 * Who wrote what: each code unit of each string carries a mark, trusted for what stands in the template and for
 * its own tokens (bos, eos) and roles, untrusted for every string of the request: contents, reasoning, tool
 * definitions with their keys, names, arguments, extra variables. All operations build their results from slices
 * and joins that keep the marks (jinja/text.ts), so a template may trim, split, replace, slice or dump a message
 * and test it for tags as usual, and no character of the request ever becomes trusted. The tokenizer looks for
 * control tokens in trusted parts only. Roles are trusted since they are one of five words and some templates
 * write their turn marks with them; numbers print as trusted digits.
 */
import { isPocketError } from '@pocketllm/abi';
import { requestInvalid } from '../request-invalid.js';
import type { TextPart } from '../tokenizer/tokenizer.js';
import { Budget, limitsFor } from './jinja/budget.js';
import { fail } from './jinja/fail.js';
import { globalScope } from './jinja/globals.js';
import { Input } from './jinja/input.js';
import { run } from './jinja/interpreter.js';
import { parseTemplate } from './jinja/parse-template.js';
import type { Program } from './jinja/syntax-tree.js';
import { Text } from './jinja/text.js';
import { dictOf, List, type Value } from './jinja/values.js';
import {
  type ChatMessage,
  contentText,
  type ToolCall,
  type ToolDefinition,
  validateMessages,
  validateTools,
} from './messages.js';

export interface TemplateTokens {
  /** Text of the token that starts a sequence; empty where the vocabulary has none. */
  readonly bosToken: string;
  /** Text of the token that ends a sequence; empty where the vocabulary has none. */
  readonly eosToken: string;
}

export interface RenderInput {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ToolDefinition[] | undefined;
  /** Whether the prompt ends with the start of an assistant's turn. True by default. */
  readonly addGenerationPrompt?: boolean | undefined;
  /** Always passed to the template, which may know nothing of it. True by default. */
  readonly enableThinking?: boolean | undefined;
  /** The time that the template is told; by default that of the call. */
  readonly now?: Date | undefined;
  /** More variables for the template, values of JSON. None may have the name of another input. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
}

export interface RenderedPrompt {
  readonly text: string;
  /** The same text by origin: special tokens are to be read in trusted parts only. */
  readonly parts: readonly TextPart[];
}

export class ChatTemplate {
  /** Throws TEMPLATE_FAILED, with line and column where `source` is not a template. */
  static compile(source: string, tokens: TemplateTokens): ChatTemplate {
    return new ChatTemplate(
      guarded(() => parseTemplate(source)),
      source.includes('developer'),
      tokens,
    );
  }

  private constructor(
    private readonly program: Program,
    private readonly knowsDevelopers: boolean,
    private readonly tokens: TemplateTokens,
  ) {}

  /**
   * Throws REQUEST_INVALID for messages or tools that are none, and TEMPLATE_FAILED where the template raises,
   * errs, or goes beyond its limits (`limit` says which).
   */
  render(input: RenderInput): RenderedPrompt {
    const given = new Input();
    const variables = this.variables(input, given);
    const text = guarded(() => {
      const budget = new Budget(limitsFor(given));
      const scope = globalScope(input.now ?? new Date(), budget);
      for (const [name, value] of variables) scope.set(name, value);
      return run(this.program, scope, budget);
    });
    return { text: text.value, parts: text.parts() };
  }

  private variables(input: RenderInput, given: Input): Map<string, Value> {
    const messages = validateMessages(input.messages);
    const tools = input.tools === undefined ? null : validateTools(input.tools);
    const variables = new Map<string, Value>([
      ['messages', new List(messages.map((message, i) => this.message(message, `messages[${i}]`, given)))],
      ['tools', tools?.length ? given.value(tools, 'tools') : null],
      ['add_generation_prompt', input.addGenerationPrompt ?? true],
      ['enable_thinking', input.enableThinking ?? true],
      ['bos_token', Text.trusted(this.tokens.bosToken)],
      ['eos_token', Text.trusted(this.tokens.eosToken)],
    ]);
    for (const [name, value] of Object.entries(input.extra ?? {})) {
      if (variables.has(name)) {
        const expected = 'a variable that is no other input of the template';
        throw requestInvalid(`extra.${name}`, expected, name);
      }
      variables.set(name, given.value(value, `extra.${name}`));
    }
    return variables;
  }

  private message(message: ChatMessage, field: string, given: Input): Value {
    given.values++;
    // Older templates know the developer by the name it had before.
    const role = message.role === 'developer' && !this.knowsDevelopers ? 'system' : message.role;
    const fields: [string, Value][] = [
      ['role', Text.trusted(role)],
      // Templates take the content apart as a string, so none is an empty one.
      ['content', given.text(contentText(message.content))],
    ];
    for (const name of ['reasoning_content', 'tool_call_id', 'name'] as const) {
      const value = message[name] ?? undefined;
      if (value !== undefined) fields.push([name, given.text(value)]);
    }
    if (message.tool_calls?.length) {
      const calls = message.tool_calls.map((call, i) => toolCall(call, `${field}.tool_calls[${i}]`, given));
      fields.push(['tool_calls', new List(calls)]);
    }
    return dictOf(fields.map(([name, value]) => [Text.trusted(name), value]));
  }
}

/** Arguments given as text stay that text for templates that insert them, and are a mapping for all others. */
function toolCall(call: ToolCall, field: string, given: Input): Value {
  const { name, arguments: args } = call.function;
  const called = dictOf([
    [Text.trusted('name'), given.text(name)],
    [
      Text.trusted('arguments'),
      typeof args === 'string'
        ? given.json(args, `${field}.function.arguments`)
        : given.value(args, `${field}.function.arguments`),
    ],
  ]);
  return dictOf([
    ...(call.id === undefined ? [] : [[Text.trusted('id'), given.text(call.id)] as const]),
    [Text.trusted('type'), given.text('function')],
    [Text.trusted('function'), called],
  ]);
}

/** Makes TEMPLATE_FAILED of whatever else a template may bring about. */
function guarded<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (isPocketError(error)) throw error;
    // Within the depth that is counted, the stack ends only when the caller had used most of it.
    if (error instanceof RangeError) return fail('the stack of this process is full', 'depth', error);
    return fail(error instanceof Error ? error.message : String(error), undefined, error);
  }
}
