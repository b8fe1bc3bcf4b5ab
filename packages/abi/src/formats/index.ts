import type { WeightFormat } from './define-format.js';
import { f32 } from './f32.js';
import { q8_0 } from './q8-0.js';

export * from './define-format.js';

/** Every weight format of version 1, by name. */
export const weightFormats = { f32, q8_0 } as const satisfies Record<string, WeightFormat>;

export type WeightFormatName = keyof typeof weightFormats;

const byGgufType = new Map<number, WeightFormat>(Object.values(weightFormats).map((f) => [f.ggufType, f]));

/** The format of a GGUF tensor type id, or undefined where version 1 has none. */
export function formatOfGgufType(ggufType: number): WeightFormat | undefined {
  return byGgufType.get(ggufType);
}
