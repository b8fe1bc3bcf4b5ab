import type { ToolDefinition } from '../chat/index.js';
import { choice, type GrammarNode, refused, repeat, sequence, text } from './grammar/grammar.js';
import type { Rules } from './grammar/rules.js';
import { schemaNode } from './schema/schema-grammar.js';

/** How a model writes a call. */
export type CallStyle =
  /** `<tool_call>` around a JSON object with `name` and `arguments`: Qwen, Hermes. */
  | 'tagged'
  /** `<tool_call>` around `<function=NAME>` around the JSON of the arguments: Qwen3-Coder and later. */
  | 'function'
  /** A JSON object with `name` and `parameters`, and nothing else: Llama 3. */
  | 'bare';

/** The style of a chat template. */
export function callStyleOf(templateSource: string): CallStyle {
  if (templateSource.includes('<function=')) return 'function';
  return templateSource.includes('<tool_call>') || !templateSource.includes('"parameters"')
    ? 'tagged'
    : 'bare';
}

/**
 * Calls of these tools, each with arguments that its schema allows: one, or several where `areSeveral`. REQUEST_INVALID
 * where a schema cannot be held to, or is not that of an object.
 */
export function toolCallNode(
  tools: readonly ToolDefinition[],
  style: CallStyle,
  areSeveral: boolean,
  rules: Rules,
): GrammarNode {
  const calls = tools.map((tool, index) => {
    const args = argumentsNode(tool, `tools[${index}].function.parameters`, rules);
    return callNode(style, tool.function.name, args);
  });
  const call = rules.get('tool call', () => choice(...calls));
  return areSeveral && style !== 'bare' ? sequence(call, repeat(sequence(text('\n'), call), 0)) : call;
}

function argumentsNode(
  { function: { parameters } }: ToolDefinition,
  path: string,
  rules: Rules,
): GrammarNode {
  // As OpenAI has it: a function without parameters has none.
  const { type = 'object', ...schema } = parameters ?? { properties: {} };
  if (type !== 'object') throw refused(`${path}.type`, 'object', type);
  return schemaNode({ type, ...schema }, path, rules);
}

function callNode(style: CallStyle, name: string, args: GrammarNode): GrammarNode {
  const quoted = JSON.stringify(name);
  switch (style) {
    case 'tagged':
      return sequence(text(`<tool_call>\n{"name": ${quoted}, "arguments": `), args, text('}\n</tool_call>'));
    case 'function':
      return sequence(text(`<tool_call>\n<function=${name}>\n`), args, text('\n</function>\n</tool_call>'));
    case 'bare':
      return sequence(text(`{"name": ${quoted}, "parameters": `), args, text('}'));
  }
}
