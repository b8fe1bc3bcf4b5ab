import type { Capabilities, OpName } from '@pocketllm/abi';
import type { decodeRow } from './formats/index.js';
import type { AnyKernel } from './ops/index.js';

/**
 * What a reference backend is put together from. The conformance kit exchanges single parts for wrong ones,
 * to show that it notices.
 *
 * @internal
 */
export interface ReferenceParts {
  readonly capabilities: Capabilities;
  readonly decodeRow: typeof decodeRow;
  readonly kernelOf: (name: OpName) => AnyKernel;
}
