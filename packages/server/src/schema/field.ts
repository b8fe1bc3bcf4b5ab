import { z } from 'zod';

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

/** What to tell of a part of a supported field that has no effect; undefined where all of it has. */
export type PartlyReported = (value: unknown) => string | undefined;

const partlyReported = new WeakMap<z.ZodType, PartlyReported>();

export function supported<Schema extends z.ZodType>(
  schema: Schema,
  note: string,
  partly?: PartlyReported,
): Schema {
  const field = schema.meta({ description: note, 'x-support': 'supported' } satisfies FieldMeta);
  if (partly) partlyReported.set(field, partly);
  return field;
}

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
  /** What to tell of a value that has no effect; undefined where there is nothing to tell. */
  readonly warning: PartlyReported;
}

/** The fields of a request, as the published table lists them. */
export function fieldsOf(schema: z.ZodObject): Field[] {
  return Object.entries(schema.shape).map(([name, field]) => {
    const meta = (field as z.ZodType).meta() as FieldMeta | undefined;
    if (meta?.['x-support'] === undefined) throw new TypeError(`${name} does not say how it is treated`);
    const { 'x-support': support, description: note, 'x-harmless': harmless = [] } = meta;
    const noEffect = `${name} has no effect: ${note[0]!.toLowerCase()}${note.slice(1)}`;
    const warning =
      support === 'reported'
        ? (value: unknown) => (harmless.includes(value) ? undefined : noEffect)
        : (partlyReported.get(field as z.ZodType) ?? (() => undefined));
    return { name, support, note, warning };
  });
}
