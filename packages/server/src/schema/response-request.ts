import { z } from 'zod';
import { refused, reported, supported } from './field.js';
import { strictHasNoEffect } from './messages.js';
import { textFormat } from './response-format.js';
import { responseInput } from './response-items.js';
import { samplingFields, serviceFields } from './sampling.js';
import { responseToolChoice } from './tool-choice.js';

const { model, temperature, top_p, user } = samplingFields;
const { verbosity: _, ...service } = serviceFields;

const functionTool = z.strictObject({
  type: z.literal('function'),
  name: z.string().min(1).max(64),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
  strict: z.boolean().nullish(),
});

function summaryHasNoEffect(reasoning: unknown): string | undefined {
  const { summary, generate_summary: older } = reasoning as Record<string, unknown>;
  if ((summary ?? older ?? undefined) === undefined) return undefined;
  return 'reasoning.summary has no effect: the reasoning comes as it is.';
}

/** The body of POST /v1/responses. */
export const responseRequest = z
  .strictObject({
    model,
    input: supported(
      responseInput,
      'A text, or items: messages of texts, function calls, their outputs, and reasoning with its text.',
    ),
    instructions: supported(z.string().optional(), 'A system message in front of all others.'),
    max_output_tokens: supported(z.int().min(1).optional(), 'As `max_tokens` of chat completions.'),
    temperature,
    top_p,
    stream: supported(z.boolean().optional(), 'Sends the events of a response as they happen.'),
    stream_options: supported(
      z.strictObject({ include_obfuscation: z.literal(false).optional() }).optional(),
      '`include_obfuscation` may be false only.',
    ),
    tools: supported(
      z.array(functionTool).max(128).optional(),
      'Functions only; there are no built-in tools. `strict` is reported: arguments are held to the schema where `tool_choice` forces a call.',
      strictHasNoEffect,
    ),
    tool_choice: supported(
      responseToolChoice,
      '`none`, `auto`, `required` or a named function, as in chat completions.',
    ),
    parallel_tool_calls: supported(z.boolean().optional(), 'If false, the answer ends after its first call.'),
    reasoning: supported(
      z
        .strictObject({
          effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']).nullish(),
          summary: z.string().nullish(),
          generate_summary: z.string().nullish(),
        })
        .optional(),
      '`effort` of `none` turns thinking off; other values leave it on. The reasoning comes as it is; a wish for a summary is reported.',
      summaryHasNoEffect,
    ),
    text: supported(
      z.strictObject({ format: textFormat, verbosity: z.literal('medium').nullish() }).optional(),
      '`format`: `text`, `json_object`, or `json_schema`, to which answers are held whether `strict` or not; `verbosity` may be medium only.',
    ),
    truncation: supported(
      z.enum(['disabled', 'auto']).optional(),
      '`disabled`, the default, refuses a prompt beyond the context. `auto` is `on_overflow` of `slide` in chat completions.',
    ),
    background: supported(z.literal(false).optional(), 'Only false.'),
    include: reported('There is nothing more to include.'),
    max_tool_calls: reported('There are no built-in tools.'),
    ...service,
    user,
    previous_response_id: refused('Nothing is stored: send the whole conversation as `input`.'),
    conversation: refused('Nothing is stored: send the whole conversation as `input`.'),
    prompt: refused('There are no stored prompts.'),
    top_logprobs: refused('Use `logprobs` of chat completions.'),
    context_management: refused('The conversation is taken as it is.'),
  })
  .meta({ id: 'ResponseRequest' });

export type ResponseRequest = z.output<typeof responseRequest>;
