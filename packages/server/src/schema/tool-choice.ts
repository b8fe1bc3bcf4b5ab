import type { ToolChoice } from '@pocketllm/runtime';
import { z } from 'zod';

const ways = z.enum(['none', 'auto', 'required']);

/** Whether tools are called, in chat completions. */
export const toolChoice = z
  .union([
    ways,
    z.strictObject({
      type: z.literal('function'),
      function: z.strictObject({ name: z.string().min(1) }),
    }),
  ])
  .optional();

/** The same in responses. */
export const responseToolChoice = z
  .union([ways, z.strictObject({ type: z.literal('function'), name: z.string().min(1) })])
  .optional();

/** As the runtime takes it; undefined where the model chooses, or tools are hidden. */
export function forcedCall(choice: z.output<typeof toolChoice>): ToolChoice | undefined {
  if (typeof choice === 'object') return { name: choice.function.name };
  return choice === 'required' ? choice : undefined;
}
