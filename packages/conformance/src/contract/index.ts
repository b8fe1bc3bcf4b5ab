import { cachePages } from './cache-pages.js';
import { cancel } from './cancel.js';
import { capabilitiesFile } from './capabilities-file.js';
import { claimsKept } from './claims-kept.js';
import type { ContractTest } from './contract-test.js';
import { lifetime } from './lifetime.js';
import { memory } from './memory.js';
import { programs } from './programs.js';
import { steps } from './steps.js';
import { weights } from './weights.js';

export type { ContractContext, ContractTest } from './contract-test.js';

/** The tests of the contract that every device is put to, by what they are about. */
export const contract: Readonly<Record<string, readonly ContractTest[]>> = {
  capabilities: capabilitiesFile,
  claims: claimsKept,
  lifetime,
  memory,
  cancel,
  steps,
  'cache pages': cachePages,
  programs,
  weights,
};
