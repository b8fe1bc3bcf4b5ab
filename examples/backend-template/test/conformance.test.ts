import { conformance } from '@pocketllm/conformance';
import { describe, it } from 'vitest';
import capabilities from '../pocketllm.backend.json' with { type: 'json' };
import plugin from '../src/index.js';

await conformance({ describe, it, plugin, capabilities });
