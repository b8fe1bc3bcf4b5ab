import type { WeightFormatName } from './index.js';

/** One step of the ladder: formats that a model may be re-encoded to, the best first. */
export interface Rung {
  readonly name: string;
  readonly formats: readonly WeightFormatName[];
}

/**
 * Where a checkpoint that does not fit its device goes, widest first. The ternary rung stands last because
 * of what it costs in quality: its formats are not smaller than those of iq1, and suit other models.
 */
export const ladder: readonly Rung[] = Object.freeze([
  { name: 'f16', formats: ['f16', 'bf16'] },
  { name: 'q8', formats: ['q8_0'] },
  { name: 'q6', formats: ['q6_k'] },
  { name: 'q4', formats: ['q4_k'] },
  { name: 'q2', formats: ['q2_k'] },
  { name: 'iq2', formats: ['iq2_xs', 'iq2_xxs'] },
  { name: 'iq1', formats: ['iq1_m', 'iq1_s'] },
  { name: 'ternary', formats: ['tq2_0', 'tq1_0'] },
]);

/** The rung that a format stands on, counted from 0 at the widest; undefined where it stands on none. */
export function rungOf(format: string): number | undefined {
  const index = ladder.findIndex((rung) => (rung.formats as readonly string[]).includes(format));
  return index === -1 ? undefined : index;
}
