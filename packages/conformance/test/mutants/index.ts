import { attentions } from './attention.js';
import { claims } from './claims.js';
import { elements } from './elements.js';
import { equalities } from './equalities.js';
import { lifetimes } from './lifetime.js';
import { formats, matmuls } from './matmul.js';
import type { Mutant } from './mutant.js';
import { norms } from './norms.js';
import { ropes } from './rope.js';
import { rowOps } from './rows.js';
import { stepFaults } from './steps.js';

/** Every planted fault. */
export const mutants: readonly Mutant[] = [
  ...norms,
  ...ropes,
  ...attentions,
  ...matmuls,
  ...formats,
  ...elements,
  ...rowOps,
  ...claims,
  ...lifetimes,
  ...stepFaults,
  ...equalities,
];
