import type { BackendPlugin } from '@pocketllm/abi';
import { type GgufModel, openGguf } from '../gguf/index.js';
import { type LoadOptions, Model } from '../model/index.js';
import { openFile } from './file-source.js';
import type { DiscoveryOptions } from './list-backends.js';
import { loadBackend } from './load-backend.js';

export interface OpenModelOptions extends Omit<LoadOptions, 'deviceId'>, DiscoveryOptions {
  /** A plugin, or what `loadBackend` finds one by; without it the only backend that the application depends on. */
  readonly backend?: BackendPlugin | string;
  /** A device of the backend; its first where absent. */
  readonly device?: string;
}

/**
 * Opens a model file (of a split set, its first part) on one device. Fails as `loadBackend`, `openGguf` and
 * `Model.load` do; nothing stays open then.
 */
export async function openModel(path: string, options: OpenModelOptions = {}): Promise<Model> {
  const { backend, device, from, ...load } = options;
  const plugin =
    typeof backend === 'object' ? backend : await loadBackend(backend, from === undefined ? {} : { from });
  const file = await openGgufFile(path);
  return Model.load(file, plugin, device === undefined ? load : { ...load, deviceId: device });
}

/** Opens and checks the header of a model file, and of the other parts of a split set beside it. */
export const openGgufFile = (path: string): Promise<GgufModel> => openGguf(path, openFile);
