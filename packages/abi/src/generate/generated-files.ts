import { capabilitiesSchema } from '../backend/capabilities-schema.js';
import { cHeader } from './c-header.js';
import { wgslModule } from './wgsl.js';

/** The text of every generated file, by its path from the root of the repository. */
export function generatedFiles(): Readonly<Record<string, string>> {
  return {
    'packages/abi/generated/pocketllm_abi.h': cHeader(),
    'packages/abi/generated/pocketllm.backend.schema.json': `${JSON.stringify(capabilitiesSchema(), null, 2)}\n`,
    'packages/abi/generated/wgsl.ts': wgslModule(),
  };
}
