import { z } from 'zod';

/** The form of an answer. Only text; anything else needs a grammar, which there is not yet. */
export const responseFormat = z
  .looseObject({ type: z.string() })
  .refine(({ type }) => type === 'text', {
    error: (issue) =>
      `only {"type": "text"} is possible yet: ${JSON.stringify((issue.input as { type: string }).type).slice(0, 40)} needs answers held to a grammar, which this version cannot do`,
    params: { code: 'unsupported_value' },
  })
  .optional();
