import cpu, { loadAddon } from '@pocketllm/backend-cpu';
import { describe, expect, it } from 'vitest';
import { openFile } from '../../packages/runtime/src/node/file-source.js';
import { openEngine } from '../support/open-engine.js';
import { RecordedError } from '../support/recorded-error.js';
import { type RecordedCase, type RecordedModel, recordedModels } from '../support/recorded-tokens.js';

const { addon, missing } = loadAddon();
const isas = addon?.usableIsas ?? [];

/** Instruction sets whose activations stay f32: their logits are the exact ones, as the reference's are. */
const isExact = (isa: string) =>
  !addon!.kernels.some((kernel) => kernel.isa === isa && kernel.op === 'quantize_rows');

/** The rms that f32 between ops leaves: ten times what was measured. */
const exactError = 1e-4;

/** Feeds every case to the model, and holds what comes out to llama.cpp's tokens and to the exact logits. */
async function follow(
  isa: string,
  model: RecordedModel,
  positions: number,
  safeMargin: (recorded: RecordedCase) => number,
): Promise<void> {
  await using engine = await openEngine(await openFile(model.path), 'f32', positions, {
    plugin: cpu,
    id: isa,
  });
  const error = new RecordedError();
  for (const recorded of model.cases) {
    await error.add(
      engine.force(recorded.prompt_ids, recorded.tokens.slice(0, -1)),
      recorded,
      safeMargin(recorded),
    );
  }
  expect(error.wrong).toEqual([]);
  // Not farther from the truth than llama.cpp, in any format.
  expect(error.ours).toBeLessThan(isExact(isa) ? exactError : Math.max(error.llamaCpp, exactError));
}

describe.skipIf(missing !== undefined)(`recorded tokens on the processor (${missing ?? 'built'})`, () => {
  const tiny = recordedModels('fixtures', 'expected.json');
  const tale = recordedModels('models', 'tale-expected.json');
  const smol = recordedModels('models', 'smollm2-expected.json');

  describe.skipIf(tiny.length === 0)('tiny models (needs ../shared/fixtures/expected.json)', () => {
    const runs = isas.flatMap((isa) => tiny.map((model) => ({ isa, model, name: model.name })));
    it.each(runs)(
      '$isa, $name: tokens follow llama.cpp, logits are nearer to the exact ones',
      ({ isa, model }) => follow(isa, model, 1408, ({ max_noise }) => 5 * max_noise),
    );
  });

  describe.skipIf(tale.length === 0)('Tale (needs ../shared/models/tale-expected.json)', () => {
    const runs = isas.flatMap((isa) => tale.map((model) => ({ isa, model, name: model.name })));
    it.each(runs)(
      '$isa, $name: tokens follow llama.cpp, logits are nearer to the exact ones',
      ({ isa, model }) => follow(isa, model, 1024, () => 1),
      120_000,
    );
  });

  describe.skipIf(smol.length === 0)('SmolLM2 (needs ../shared/models/smollm2-expected.json)', () => {
    it('the fastest: all prompts, tokens follow llama.cpp, logits are nearer to the exact ones', async () => {
      await follow(isas[0]!, smol[0]!, 1536, () => 1);
    }, 600_000);

    it('scalar: the shortest prompts', async () => {
      const cases = smol[0]!.cases.filter(({ prompt_ids }) => prompt_ids.length < 25);
      await follow('scalar', { ...smol[0]!, cases }, 128, () => 1);
    }, 600_000);
  });
});
