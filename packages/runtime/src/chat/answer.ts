import type { ToolDefinition } from './messages.js';
import { ReasoningSplitter, type ReasoningTags } from './reasoning.js';
import { type ParsedAnswer, parseToolCalls } from './tool-calls.js';

export interface AnswerForm {
  /** Tags of the model's reasoning; none where it has no such thing. */
  readonly reasoning?: ReasoningTags | undefined;
  /** Whether the output begins inside the reasoning. False by default. */
  readonly startsInside?: boolean | undefined;
  /** Tools that were offered. Without them nothing is read as a call. */
  readonly tools?: readonly ToolDefinition[] | undefined;
}

export interface FinishedAnswer extends ParsedAnswer {
  readonly reasoning: string;
}

/**
 * Takes a finished output apart. Small models may call a tool without ending their reasoning; such a call
 * counts when it is complete, and the text before it is the reasoning.
 */
export function parseAnswer(output: string, form: AnswerForm): FinishedAnswer {
  const { reasoning, text } = split(output, form);
  if (form.tools === undefined) return { reasoning, text, calls: [] };
  if (text === '' && form.reasoning !== undefined && !output.includes(form.reasoning.close)) {
    const inside = parseToolCalls(reasoning, form.tools);
    if (inside.calls.length > 0) return { reasoning: inside.text, text: '', calls: inside.calls };
  }
  return { reasoning, ...parseToolCalls(text, form.tools) };
}

function split(output: string, form: AnswerForm): { reasoning: string; text: string } {
  if (form.reasoning === undefined) return { reasoning: '', text: output };
  const splitter = new ReasoningSplitter({ ...form.reasoning, startsInside: form.startsInside ?? false });
  const first = splitter.push(output);
  const last = splitter.flush();
  return { reasoning: first.reasoning + last.reasoning, text: first.text + last.text };
}
