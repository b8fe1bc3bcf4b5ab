import { isPocketError, PocketError } from '@pocketllm/abi';
import type { ResponseFormat } from '@pocketllm/runtime';
import { z } from 'zod';
import { badRequest } from '../errors/api-error.js';
import { supported } from './field.js';

const schema = z.record(z.string(), z.unknown());
const named = {
  name: z.string().min(1).max(64),
  description: z.string().nullish(),
  schema: schema.optional(),
  // Answers are always held to the schema.
  strict: z.boolean().nullish(),
};
const text = z.strictObject({ type: z.literal('text') });
const jsonObject = z.strictObject({ type: z.literal('json_object') });

/** `response_format` of chat completions. */
export const responseFormat = z
  .discriminatedUnion('type', [
    text,
    jsonObject,
    z.strictObject({ type: z.literal('json_schema'), json_schema: z.strictObject(named) }),
  ])
  .optional();

/** `text.format` of responses. */
export const textFormat = z
  .discriminatedUnion('type', [
    text,
    jsonObject,
    z.strictObject({ type: z.literal('json_schema'), ...named }),
  ])
  .optional();

/** What vLLM and llama.cpp call the same; chat and plain completions have it. */
export const structureFields = {
  structured_outputs: supported(
    z
      .strictObject({
        json: schema.optional(),
        json_object: z.literal(true).optional(),
        regex: z.string().optional(),
        choice: z.array(z.string()).min(1).optional(),
        grammar: z.string().optional(),
      })
      .refine((given) => Object.values(given).filter((value) => value !== undefined).length === 1, {
        error: 'one of json, json_object, regex, choice and grammar',
      })
      .optional(),
    'Beyond OpenAI, as vLLM has it: holds the answer to a JSON schema (`json`), any object (`json_object`), a regular expression (`regex`), a list of texts (`choice`) or a grammar in GBNF (`grammar`).',
  ),
  grammar: supported(
    z.string().min(1).optional(),
    'Beyond OpenAI, as llama.cpp has it: holds the answer to a grammar in GBNF. One of this, `structured_outputs` and `response_format`.',
  ),
};

interface FormatRequest {
  readonly response_format?: z.output<typeof responseFormat>;
  readonly text?: { readonly format?: z.output<typeof textFormat> } | undefined;
  readonly structured_outputs?: z.output<typeof structureFields.structured_outputs>;
  readonly grammar?: string | undefined;
}

/** What a request holds its answers to, and what the request calls that. */
export interface AskedFormat {
  readonly format: ResponseFormat;
  /** Stands for the schema, pattern, grammar or choices. */
  readonly field: string;
}

/** Undefined where it is any text. */
export function askedFormat(request: FormatRequest): AskedFormat | undefined {
  const asked = [
    ofResponseFormat(request.response_format),
    ofTextFormat(request.text?.format),
    ofStructuredOutputs(request.structured_outputs),
    ofGrammar(request.grammar, 'grammar'),
  ].filter((one) => one !== undefined);
  const [first, second] = asked;
  if (second === undefined) return first;
  throw badRequest(
    `${second.field}: only one form of the answer can be asked for.`,
    'invalid_value',
    second.field,
  );
}

function ofResponseFormat(given: FormatRequest['response_format']): AskedFormat | undefined {
  if (given?.type !== 'json_schema') return ofSchema(given?.type, undefined, 'response_format');
  return ofSchema(given.type, given.json_schema.schema, 'response_format.json_schema.schema');
}

function ofTextFormat(given: z.output<typeof textFormat>): AskedFormat | undefined {
  if (given?.type !== 'json_schema') return ofSchema(given?.type, undefined, 'text.format');
  return ofSchema(given.type, given.schema, 'text.format.schema');
}

/** A schema may be left out: any object then. */
function ofSchema(
  type: string | undefined,
  given: object | undefined,
  field: string,
): AskedFormat | undefined {
  if (type === undefined || type === 'text') return undefined;
  return { format: given ? { type: 'json_schema', schema: given } : { type: 'json_object' }, field };
}

function ofStructuredOutputs(given: FormatRequest['structured_outputs']): AskedFormat | undefined {
  if (given === undefined) return undefined;
  const { json, regex, choice, grammar } = given;
  if (regex !== undefined) {
    return { format: { type: 'regex', pattern: regex }, field: 'structured_outputs.regex' };
  }
  if (choice !== undefined) {
    return { format: { type: 'choice', choices: choice }, field: 'structured_outputs.choice' };
  }
  if (grammar !== undefined) return ofGrammar(grammar, 'structured_outputs.grammar');
  return ofSchema('json', json, json ? 'structured_outputs.json' : 'structured_outputs.json_object');
}

const ofGrammar = (grammar: string | undefined, field: string): AskedFormat | undefined =>
  grammar === undefined ? undefined : { format: { type: 'grammar', grammar }, field };

/** Does work that may refuse the format, under the name that the request has for it. */
export function namingFormat<Result>(asked: AskedFormat | undefined, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (asked === undefined || !isPocketError(error, 'REQUEST_INVALID')) throw error;
    const { field, ...rest } = error.details;
    const place = /^responseFormat(?:\.\w+)?(.*)$/s.exec(field)?.[1];
    if (place === undefined) throw error;
    throw new PocketError('REQUEST_INVALID', { ...rest, field: asked.field + place });
  }
}
