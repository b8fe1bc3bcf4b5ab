/** What an attribute of an op may hold. An attribute with a default may be left out. */
export type AttributeSpec = FloatSpec | IntegerSpec | ChoiceSpec;

export interface FloatSpec {
  readonly type: 'float';
  /** The value must be greater. */
  readonly above?: number;
  readonly default?: number;
}

export interface IntegerSpec {
  readonly type: 'integer';
  readonly from: number;
  readonly default?: number;
}

export interface ChoiceSpec {
  readonly type: 'choice';
  readonly of: readonly string[];
  readonly default?: string;
}

export type AttributeValue = number | string;

export const float = { type: 'float' } as const;
export const positiveFloat = { type: 'float', above: 0 } as const;
export const positiveInteger = { type: 'integer', from: 1 } as const;
/** An integer where 0 means that the feature is off. */
export const integerOrOff = { type: 'integer', from: 0, default: 0 } as const;
/** A float where 0 means that the feature is off. */
export const floatOrOff = { type: 'float', default: 0 } as const;

export const choice = <const C extends readonly string[]>(...of: C) => ({ type: 'choice', of }) as const;

export const withDefault = <S extends AttributeSpec, const D extends AttributeValue>(spec: S, value: D) =>
  ({ ...spec, default: value }) as const;

/** Undefined where `value` fits, else what is expected. */
export function attributeMismatch(spec: AttributeSpec, value: unknown): string | undefined {
  if (spec.type === 'choice') {
    return spec.of.includes(value as string) ? undefined : `one of ${spec.of.join(', ')}`;
  }
  if (spec.type === 'integer') {
    return Number.isSafeInteger(value) && (value as number) >= spec.from
      ? undefined
      : `an integer of at least ${spec.from}`;
  }
  if (!Number.isFinite(value)) return 'a finite number';
  return spec.above === undefined || (value as number) > spec.above
    ? undefined
    : `a number above ${spec.above}`;
}
