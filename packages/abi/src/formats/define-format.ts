/** Little-endian storage types that a block is made of, with their sizes. */
export const fieldBytes = {
  u8: 1,
  i8: 1,
  u16: 2,
  i16: 2,
  u32: 4,
  i32: 4,
  i64: 8,
  f16: 2,
  bf16: 2,
  f32: 4,
  f64: 8,
} as const;

export type FieldType = keyof typeof fieldBytes;

export interface Field {
  /** Bytes from the start of the block. */
  readonly offset: number;
  readonly type: FieldType;
  /** Elements in a row of the same type; 1 where absent. */
  readonly count?: number;
}

/** How one weight format stores a block of weights. Values of a field are described by the file's docstring. */
export interface WeightFormat {
  /** Lower case, as in GGUF tools: `q4_k`. */
  readonly name: string;
  /** The type id of a GGUF tensor info. */
  readonly ggufType: number;
  readonly block: { readonly weights: number; readonly bytes: number };
  readonly fields: Readonly<Record<string, Field>>;
  /**
   * Whether files hold it as weights, it only ever holds activations, or it is data of a file that no op
   * reads.
   */
  readonly use: 'weights' | 'activations' | 'data';
  /** Whether an encoder needs importance data (one value a column), can use it, or ignores it. */
  readonly importance: 'required' | 'used' | 'ignored';
}

/** Checks that the fields fill the block without gap or overlap, and freezes the declaration. */
export function defineFormat<const F extends WeightFormat>(format: F): F {
  let end = 0;
  const ordered = Object.entries<Field>(format.fields).sort(([, a], [, b]) => a.offset - b.offset);
  for (const [name, field] of ordered) {
    if (field.offset !== end) {
      throw new TypeError(
        `${format.name}.${name} starts at byte ${field.offset}; the field before ends at ${end}`,
      );
    }
    end += fieldBytes[field.type] * (field.count ?? 1);
  }
  if (end !== format.block.bytes) {
    throw new TypeError(
      `the fields of ${format.name} end at byte ${end} of a block of ${format.block.bytes}`,
    );
  }
  return Object.freeze(format);
}

/** Bytes of one row of `weights` weights; undefined where they do not fill whole blocks. */
export function rowBytes(format: WeightFormat, weights: number): number | undefined {
  return weights % format.block.weights === 0
    ? (weights / format.block.weights) * format.block.bytes
    : undefined;
}
