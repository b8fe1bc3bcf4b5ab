import { expect } from 'vitest';
import { openFile } from '../../packages/runtime/src/node/file-source.js';
import { type EngineDevice, openEngine } from './open-engine.js';
import { RecordedError } from './recorded-error.js';
import type { RecordedCase, RecordedModel } from './recorded-tokens.js';

/** The rms that f32 between ops leaves: ten times what was measured. */
const exactError = 1e-4;

/**
 * Feeds every case to the model, and holds what comes out to llama.cpp's tokens and to the exact logits: not farther
 * from them than llama.cpp, in any format.
 *
 * @param isExact whether activations of the device stay f32, so that its logits are the exact ones
 * @returns the root mean square of both distances
 */
export async function followRecorded(
  device: EngineDevice,
  isExact: boolean,
  model: RecordedModel,
  positions: number,
  safeMargin: (recorded: RecordedCase) => number,
): Promise<{ readonly ours: number; readonly llamaCpp: number }> {
  await using engine = await openEngine(await openFile(model.path), 'f32', positions, device);
  const error = new RecordedError();
  for (const recorded of model.cases) {
    await error.add(
      engine.force(recorded.prompt_ids, recorded.tokens.slice(0, -1)),
      recorded,
      safeMargin(recorded),
    );
  }
  expect(error.wrong).toEqual([]);
  expect(error.ours).toBeLessThan(isExact ? exactError : Math.max(error.llamaCpp, exactError));
  return error;
}
