import { z } from 'zod';
import { refused, supported } from './field.js';
import { structureFields } from './response-format.js';
import { samplingFields } from './sampling.js';

const mostPrompts = 64;
const tokens = z.array(z.int().min(0)).min(1);

/** The body of POST /v1/completions. */
export const completionRequest = z
  .strictObject({
    prompt: supported(
      z.union([
        z.string(),
        z.array(z.string()).min(1).max(mostPrompts),
        tokens,
        z.array(tokens).min(1).max(mostPrompts),
      ]),
      'A text, token ids, or up to 64 of either. Special tokens written in a text stay text.',
    ),
    ...samplingFields,
    echo: supported(z.boolean().optional(), 'Puts the prompt before the answer. Not with `logprobs`.'),
    logprobs: supported(
      z.int().min(0).max(20).optional(),
      'How many of the likeliest tokens to report, 0 to 20.',
    ),
    ...structureFields,
    best_of: supported(z.int().min(1).optional(), 'Equal to `n` only.'),
    suffix: refused('Text cannot be filled in before a suffix.'),
  })
  .refine(({ best_of, n }) => best_of === undefined || best_of === (n ?? 1), {
    path: ['best_of'],
    error: 'only the value of `n` is possible',
    params: { code: 'unsupported_value' },
  })
  .refine(({ echo, logprobs }) => !echo || logprobs === undefined, {
    path: ['echo'],
    error: 'not with `logprobs`: there are none of the prompt',
    params: { code: 'unsupported_value' },
  })
  .meta({ id: 'CompletionRequest' });

export type CompletionRequest = z.output<typeof completionRequest>;
