import plugin from '@pocketllm/reference';
import capabilities from '@pocketllm/reference/pocketllm.backend.json' with { type: 'json' };
import { describe, it } from 'vitest';
import { conformance } from '../src/index.js';

await conformance({ describe, it, plugin, capabilities });
