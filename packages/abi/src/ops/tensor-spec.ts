/**
 * What stands at one place of an op's signature. Extents name the sizes, outermost first: a name binds a
 * size (`rows`), an expression relates names and integer attributes (`heads*headSize`, see extents.ts).
 */
export interface TensorSpec {
  /**
   * - `activation`: f32 values, from a call or a named input of the program
   * - `indices`: i32 values, from a call or a named input of the program
   * - `vector`: f32 weights
   * - `weight`: weights in any weight format; the last extent is the row of a block format
   * - `encoded`: an output in the weight format named by the attribute `format`
   */
  readonly kind: 'activation' | 'indices' | 'vector' | 'weight' | 'encoded';
  readonly extents: readonly string[];
  readonly optional?: boolean;
}

// The literal types of extents are kept, so that code for one op knows the names of its sizes.
export const activation = <const E extends readonly string[]>(...extents: E) =>
  ({ kind: 'activation', extents }) as const;
export const indices = <const E extends readonly string[]>(...extents: E) =>
  ({ kind: 'indices', extents }) as const;
export const vector = <const E extends readonly string[]>(...extents: E) =>
  ({ kind: 'vector', extents }) as const;
export const weight = <const E extends readonly string[]>(...extents: E) =>
  ({ kind: 'weight', extents }) as const;
export const encoded = <const E extends readonly string[]>(...extents: E) =>
  ({ kind: 'encoded', extents }) as const;

/** An input that a call may leave out. */
export const optional = <S extends TensorSpec>(spec: S) => ({ ...spec, optional: true }) as const;
