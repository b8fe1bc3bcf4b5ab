import { z } from 'zod';

const needsGrammar =
  'only "none" and "auto" are possible yet, since a call cannot be forced without a grammar';

/** Whether the model may call tools. Forcing a call needs a grammar, which there is not yet. */
export const toolChoice = z
  .unknown()
  .refine((value) => value === undefined || value === 'none' || value === 'auto', {
    error: needsGrammar,
    params: { code: 'unsupported_value' },
  })
  .transform((value) => value as 'none' | 'auto' | undefined)
  .optional();
