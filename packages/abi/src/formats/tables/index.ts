import type { CodeBook } from './code-book.js';
import { iq1SGrid } from './iq1-s-grid.js';
import { iq2SGrid } from './iq2-s-grid.js';
import { iq2XsGrid } from './iq2-xs-grid.js';
import { iq2XxsGrid } from './iq2-xxs-grid.js';
import { iq3SGrid } from './iq3-s-grid.js';
import { iq3XxsGrid } from './iq3-xxs-grid.js';

export { type CodeBook, levelsOfCodeBook, valuesOfCodeBook } from './code-book.js';
export { fp4Values } from './fp4-values.js';
export { iq4Values } from './iq4-values.js';
export { evenSigns } from './signs.js';

/** The code book of each format that has one; iq1_m uses the one of iq1_s. */
export const codeBooks = {
  iq1_s: iq1SGrid,
  iq2_xxs: iq2XxsGrid,
  iq2_xs: iq2XsGrid,
  iq2_s: iq2SGrid,
  iq3_xxs: iq3XxsGrid,
  iq3_s: iq3SGrid,
} as const satisfies Record<string, CodeBook>;
