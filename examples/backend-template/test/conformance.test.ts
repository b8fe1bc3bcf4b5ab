import { conformance } from '@pocketllm/conformance';
import { describe, it } from 'vitest';
import plugin from '../src/index.js';

await conformance({ describe, it, plugin });
