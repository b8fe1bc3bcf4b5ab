import { describe, expect, it } from 'vitest';
import type { NextToken } from '../../packages/runtime/src/engine/next-token.js';
import { openFile } from '../../packages/runtime/src/node/file-source.js';
import { openEngine } from '../support/open-engine.js';
import { type RecordedCase, recordedModels } from '../support/recorded-tokens.js';

/**
 * The recorded double-precision logits have six decimals. Ours keep f32 between ops and in the cache: roundings of
 * 2^-24 of values up to size 20, which layers add up. Measured: 2e-6 at most on the tiny models and Tale; the bound
 * leaves room for deeper models (llama.cpp in f32 is within 5e-5 on the 30 layers of SmolLM2).
 */
const exactTolerance = 1e-3;

/** Steps whose best token is beyond the noise between llama.cpp's own variants. */
const safeMargin = (recorded: RecordedCase) => 5 * recorded.max_noise;

const tiny = recordedModels('fixtures', 'expected.json');
const tale = recordedModels('models', 'tale-expected.json');
const smol = recordedModels('models', 'smollm2-expected.json');

describe.skipIf(tiny.length === 0)(
  'tiny models in every format (needs ../shared/fixtures/expected.json)',
  () => {
    it.each(tiny)('$name: tokens follow llama.cpp, logits the exact ones', async ({ path, cases }) => {
      await using engine = await openEngine(await openFile(path), 'f32', 1408);
      for (const recorded of cases) {
        await compare(
          engine.force(recorded.prompt_ids, recorded.tokens.slice(0, -1)),
          recorded,
          safeMargin(recorded),
        );
      }
    });
  },
);

describe.skipIf(tale.length === 0)('Tale (needs ../shared/models/tale-expected.json)', () => {
  it.each(tale)(
    '$name: tokens follow llama.cpp, logits the exact ones',
    async ({ path, cases }) => {
      await using engine = await openEngine(await openFile(path), 'f32', 1024);
      for (const recorded of cases) {
        await compare(
          engine.force(recorded.prompt_ids, recorded.tokens.slice(0, -1)),
          recorded,
          safeMargin(recorded),
        );
      }
    },
    600_000,
  );
});

describe.skipIf(smol.length === 0)('SmolLM2 (needs ../shared/models/smollm2-expected.json)', () => {
  const steps = 4;
  // The prompt of 1,469 tokens takes the reference minutes; faster backends run it whole.
  const cases = smol.flatMap((model) => model.cases.filter(({ prompt_ids }) => prompt_ids.length < 100));

  it(`follows the exact logits and tokens for ${steps} steps of ${cases.length} prompts`, async () => {
    await using engine = await openEngine(await openFile(smol[0]!.path), 'f32', 128);
    for (const recorded of cases) {
      const tokens = recorded.tokens.slice(0, steps - 1);
      await compare(engine.force(recorded.prompt_ids, tokens), recorded, 1);
    }
  }, 900_000);
});

async function compare(steps: AsyncIterable<NextToken>, recorded: RecordedCase, margin: number) {
  let k = 0;
  for await (const { best, logits } of steps) {
    const where = `${recorded.name}, step ${k}`;
    if (recorded.margins[k]! > margin) expect(best, where).toBe(recorded.tokens[k]);
    for (const [id, logit] of recorded.exact_top5_at[k] ?? []) {
      expect(Math.abs(logits![id]! - logit), `${where}, logit of ${id}`).toBeLessThan(exactTolerance);
    }
    for (const [id, logit] of recorded.top5_at[k] ?? []) {
      const tolerance = recorded.llama_cpp_max_error_vs_exact + exactTolerance;
      expect(Math.abs(logits![id]! - logit), `${where}, llama.cpp's logit of ${id}`).toBeLessThan(tolerance);
    }
    k++;
  }
}
