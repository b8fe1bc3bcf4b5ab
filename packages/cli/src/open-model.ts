import type { Logger, Model } from '@pocketllm/runtime';
import { openModel as openModelFile } from '@pocketllm/runtime/node';
import { chooseBackend } from './installed-backends.js';
import type { CommandContext } from './main-command.js';
import { type CommonOptions, type DeviceOptions, given } from './options.js';
import { modelPath } from './request.js';

/** How many a model serves at once. */
export interface CrowdOptions {
  readonly maxNumSeqs?: number;
  readonly kvCacheMemoryBytes?: number;
}

/** Opens a model, by default the one that comes with the command, on the device that the flags say. */
export async function openModel(
  named: string | undefined,
  flags: DeviceOptions & CommonOptions & CrowdOptions,
  { io, output, stop }: CommandContext,
): Promise<Model> {
  const path = modelPath(named, io.cwd);
  const note = (line: string) => output.note(line);
  const backend = await chooseBackend(flags.backend, io.cwd, note);
  const logger: Logger = (level, message) => {
    if (level === 'warn' || flags.verbose) note(`${level}: ${message}`);
  };
  const progress = output.progress('Loading');
  const { device, threads, maxModelLen, kvCacheDtype: cacheFormat } = flags;
  const { maxNumSeqs: maxSequences, kvCacheMemoryBytes: cacheBytes } = flags;
  try {
    return await openModelFile(path, {
      ...given({ device, threads, maxModelLen, cacheFormat, maxSequences, cacheBytes }),
      backend,
      logger,
      signal: stop.signal,
      onProgress: (done, total) => progress.update(done, total),
    });
  } finally {
    progress.end();
  }
}
