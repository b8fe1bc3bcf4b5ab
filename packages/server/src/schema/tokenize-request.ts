import { z } from 'zod';
import { supported } from './field.js';
import { functionTool, message, strictHasNoEffect } from './messages.js';

const model = supported(
  z.string().optional(),
  'The name of the model that is served, or nothing. Any other is 404.',
);

/** The body of POST /tokenize. */
export const tokenizeRequest = z
  .strictObject({
    model,
    prompt: supported(z.string().optional(), 'A text. Either this or `messages`.'),
    messages: supported(
      z.array(message).min(1).optional(),
      'A conversation, for the prompt that the template makes of it.',
    ),
    tools: supported(z.array(functionTool).max(128).optional(), 'With `messages`.', strictHasNoEffect),
    chat_template_kwargs: supported(
      z.strictObject({ enable_thinking: z.boolean().optional() }).optional(),
      'With `messages`: whether the model is to think.',
    ),
    add_special_tokens: supported(
      z.boolean().optional(),
      'Whether the start token is put in front, where the model has one; true by default.',
    ),
    parse_special: supported(
      z.boolean().optional(),
      'With `prompt`: whether special tokens written in it become those tokens; false by default.',
    ),
    return_token_strs: supported(z.boolean().optional(), 'Adds the text of each token.'),
  })
  .refine(({ prompt, messages }) => (prompt === undefined) !== (messages === undefined), {
    path: ['prompt'],
    error: 'either `prompt` or `messages` is needed',
  })
  .meta({ id: 'TokenizeRequest' });

/** The body of POST /detokenize. */
export const detokenizeRequest = z
  .strictObject({
    model,
    tokens: supported(z.array(z.int().min(0)), 'Token ids. Special tokens are shown.'),
  })
  .meta({ id: 'DetokenizeRequest' });
