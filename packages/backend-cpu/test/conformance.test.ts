import { conformance } from '@pocketllm/conformance';
import { describe, it } from 'vitest';
import capabilities from '../pocketllm.backend.json' with { type: 'json' };
import plugin from '../src/index.js';
import { missingNative } from './native.js';

if (missingNative === undefined) await conformance({ describe, it, plugin, capabilities });
else describe.skip(`conformance of cpu (${missingNative})`, () => it('runs the kit', () => {}));
