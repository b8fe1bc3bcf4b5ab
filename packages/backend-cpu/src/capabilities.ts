import { type Capabilities, parseCapabilities } from '@pocketllm/abi';
import file from '../pocketllm.backend.json' with { type: 'json' };

/** The content of the capabilities file that the package ships: the same for every instruction set. */
export const capabilities: Capabilities = parseCapabilities(file, '@pocketllm/backend-cpu');
