import plugin from '@pocketllm/reference';
import { describe, it } from 'vitest';
import capabilities from '../../reference/pocketllm.backend.json' with { type: 'json' };
import { conformance } from '../src/index.js';

await conformance({ describe, it, plugin, capabilities });
