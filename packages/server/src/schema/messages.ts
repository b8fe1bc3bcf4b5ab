import type { ChatMessage } from '@pocketllm/runtime';
import { z } from 'zod';

const textPart = z.strictObject({ type: z.literal('text'), text: z.string() });
const content = z.union([z.string(), z.array(textPart)]);

const toolCall = z.strictObject({
  id: z.string().optional(),
  type: z.literal('function').optional(),
  function: z.strictObject({ name: z.string().min(1), arguments: z.string() }),
});

const fields = { name: z.string().optional() };

/** One message of a conversation. Texts only; what an assistant thought may come back in `reasoning_content`. */
export const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content, ...fields }),
  z.strictObject({ role: z.literal('developer'), content, ...fields }),
  z.strictObject({ role: z.literal('user'), content, ...fields }),
  z.strictObject({
    role: z.literal('assistant'),
    content: content.nullish(),
    reasoning_content: z.string().nullish(),
    tool_calls: z.array(toolCall).nullish(),
    refusal: z.null().optional(),
    ...fields,
  }),
  z.strictObject({ role: z.literal('tool'), content, tool_call_id: z.string().optional(), ...fields }),
]);

export type MessageRequest = z.output<typeof message>;

/** The message as the runtime takes it. */
export function toChatMessage(message: MessageRequest): ChatMessage {
  if (message.role !== 'assistant') return message;
  const { refusal: _, ...kept } = message;
  return kept;
}

/** A function that the model may call, as it stands in the request: the template may read what it likes of it. */
export const functionTool = z.strictObject({
  type: z.literal('function'),
  function: z.strictObject({
    name: z.string().min(1).max(64),
    description: z.string().optional(),
    parameters: z.record(z.string(), z.unknown()).optional(),
    strict: z.boolean().nullish(),
  }),
});

/** Told where a tool is meant to be held to its schema. */
export function strictHasNoEffect(tools: unknown): string | undefined {
  const isStrict = (tools as { strict?: unknown; function?: { strict?: unknown } }[]).some(
    (tool) => tool.strict === true || tool.function?.strict === true,
  );
  return isStrict
    ? 'tools: strict has no effect; calls are held to their schema where tool_choice forces one.'
    : undefined;
}
