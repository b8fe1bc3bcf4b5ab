import cpu, { loadAddon } from '@pocketllm/backend-cpu';
import { describe, it } from 'vitest';
import { followRecorded } from '../support/follow-recorded.js';
import { type RecordedCase, type RecordedModel, recordedModels } from '../support/recorded-tokens.js';

const { addon, missing } = loadAddon();
const isas = addon?.usableIsas ?? [];

/** Instruction sets whose activations stay f32: their logits are the exact ones, as the reference's are. */
const isExact = (isa: string) =>
  !addon!.kernels.some((kernel) => kernel.isa === isa && kernel.op === 'quantize_rows');

/** Feeds every case to the model on one instruction set. */
const follow = (
  isa: string,
  model: RecordedModel,
  positions: number,
  safeMargin: (recorded: RecordedCase) => number,
) => followRecorded({ plugin: cpu, id: isa }, isExact(isa), model, positions, safeMargin);

describe.skipIf(missing !== undefined)(`recorded tokens on the processor (${missing ?? 'built'})`, () => {
  const tiny = recordedModels('fixtures', 'expected.json');
  const tale = recordedModels('models', 'tale-expected.json');
  const smol = recordedModels('models', 'smollm2-expected.json');

  describe.skipIf(tiny.length === 0)('tiny models (needs ../shared/fixtures/expected.json)', () => {
    const runs = isas.flatMap((isa) => tiny.map((model) => ({ isa, model, name: model.name })));
    it.each(runs)(
      '$isa, $name: tokens follow llama.cpp, logits are nearer to the exact ones',
      async ({ isa, model }) => {
        await follow(isa, model, 1408, ({ max_noise }) => 5 * max_noise);
      },
    );
  });

  describe.skipIf(tale.length === 0)('Tale (needs ../shared/models/tale-expected.json)', () => {
    const runs = isas.flatMap((isa) => tale.map((model) => ({ isa, model, name: model.name })));
    it.each(runs)(
      '$isa, $name: tokens follow llama.cpp, logits are nearer to the exact ones',
      async ({ isa, model }) => {
        await follow(isa, model, 1024, () => 1);
      },
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
