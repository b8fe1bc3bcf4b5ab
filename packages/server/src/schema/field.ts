import { z } from '@hono/zod-openapi';

/**
 * How a field of a request is treated:
 *
 * - `supported`: it does what it says
 * - `refused`: a request that has it ends with 400
 * - `reported`: it changes nothing, and the answer says so
 */
export type Support = 'supported' | 'refused' | 'reported';

interface FieldMeta {
  readonly description: string;
  readonly 'x-support': Support;
  /** Values that ask for nothing, so that there is nothing to report. */
  readonly 'x-harmless'?: readonly unknown[];
}

export const supported = <Schema extends z.ZodType>(schema: Schema, note: string): Schema =>
  schema.meta({ description: note, 'x-support': 'supported' } satisfies FieldMeta);

export const refused = (note: string) =>
  z
    .unknown()
    .refine((value) => value === undefined, { error: note, params: { code: 'unsupported_parameter' } })
    .optional()
    .meta({ description: note, 'x-support': 'refused' } satisfies FieldMeta);

export const reported = (note: string, harmless: readonly unknown[] = []) =>
  z
    .unknown()
    .optional()
    .meta({ description: note, 'x-support': 'reported', 'x-harmless': harmless } satisfies FieldMeta);

export interface Field {
  readonly name: string;
  readonly support: Support;
  readonly note: string;
  readonly harmless: readonly unknown[];
}

/** The fields of a request, as the published table lists them. */
export function fieldsOf(schema: z.ZodObject): Field[] {
  return Object.entries(schema.shape).map(([name, field]) => {
    const meta = (field as z.ZodType).meta() as FieldMeta | undefined;
    if (meta?.['x-support'] === undefined) throw new TypeError(`${name} does not say how it is treated`);
    return { name, support: meta['x-support'], note: meta.description, harmless: meta['x-harmless'] ?? [] };
  });
}
