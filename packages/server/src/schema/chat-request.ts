import { z } from 'zod';
import { refused, reported, supported } from './field.js';
import { functionTool, message, strictHasNoEffect } from './messages.js';
import { responseFormat, structureFields } from './response-format.js';
import { samplingFields, serviceFields } from './sampling.js';
import { toolChoice } from './tool-choice.js';

/** The body of POST /v1/chat/completions. */
export const chatRequest = z
  .strictObject({
    messages: supported(
      z.array(message).min(1),
      'Roles system, developer, user, assistant and tool. Content is text, or a list of parts of type text. `reasoning_content` of an assistant goes to the template.',
    ),
    ...samplingFields,
    max_completion_tokens: supported(
      z.int().min(1).optional(),
      'The newer name of `max_tokens`; only one of them may be given.',
    ),
    logprobs: supported(
      z.boolean().optional(),
      "Log-probabilities of the model's own distribution for every token of the output, thinking and tags included.",
    ),
    top_logprobs: supported(z.int().min(0).max(20).optional(), '0 to 20, with `logprobs`.'),
    tools: supported(
      z.array(functionTool).max(128).optional(),
      'Functions, as the template of the model can show them. `strict` is reported: arguments are held to the schema where `tool_choice` forces a call.',
      strictHasNoEffect,
    ),
    tool_choice: supported(
      toolChoice,
      '`none` hides the tools, `auto` is the default. `required`, or a named function, makes the answer a call whose arguments its schema allows.',
    ),
    parallel_tool_calls: supported(z.boolean().optional(), 'If false, the answer ends after its first call.'),
    reasoning_effort: supported(
      z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']).optional(),
      '`none` turns thinking off; all other values leave it on, as long as the model likes.',
    ),
    chat_template_kwargs: supported(
      z.strictObject({ enable_thinking: z.boolean().optional() }).optional(),
      'Beyond OpenAI: `enable_thinking` turns thinking on or off.',
    ),
    thinking_budget: supported(
      z.int().min(1).optional(),
      'Beyond OpenAI: tokens that the model may think for; then its thinking is ended, and it answers.',
    ),
    response_format: supported(
      responseFormat,
      '`text`, `json_object`, or `json_schema`, to which answers are held whether `strict` or not. [What of a schema](#structured-output).',
    ),
    ...structureFields,
    ...serviceFields,
    prediction: reported('Nothing is predicted.'),
    modalities: supported(z.tuple([z.literal('text')]).optional(), '`["text"]` only.'),
    audio: refused('Audio cannot be made.'),
    web_search_options: refused('There is no web search.'),
    functions: refused('Use `tools`.'),
    function_call: refused('Use `tool_choice`.'),
  })
  .refine(({ top_logprobs, logprobs }) => top_logprobs === undefined || logprobs === true, {
    path: ['top_logprobs'],
    error: 'it needs `logprobs` to be true',
  })
  .refine(
    ({ max_tokens, max_completion_tokens }) =>
      max_tokens === undefined || max_completion_tokens === undefined,
    {
      path: ['max_completion_tokens'],
      error: 'it is the newer name of `max_tokens`; give one of them',
    },
  )
  .meta({ id: 'ChatCompletionRequest' });

export type ChatRequest = z.output<typeof chatRequest>;
