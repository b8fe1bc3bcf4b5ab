import { conformance } from '@pocketllm/conformance';
import { describe, it } from 'vitest';
import capabilities from '../../pocketllm.backend.json' with { type: 'json' };
import { emulatedPlugin, missingEmulated } from './plugin.js';

/**
 * What emulated kernels have a part in: matmuls in every format, attention, whole models, which are fed in many ways, and
 * programs.
 * The other ops run the kernels of the instruction set that these build on, and the rest of the contract (caches,
 * lifetimes, memory) is the engine's, the same for all.
 */
const only = ['matmul', 'cases › attention', '› model ›', 'contract › programs', 'contract › weights'];

const { reason } = (await emulatedPlugin.probe()) as { reason?: string };
const missing = missingEmulated ?? reason;

if (missing === undefined) await conformance({ describe, it, plugin: emulatedPlugin, capabilities, only });
else describe.skip(`conformance of emulated processors (${missing})`, () => it('runs the kit', () => {}));
