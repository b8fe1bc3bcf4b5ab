import reference from '@pocketllm/reference';
import { expect, it } from 'vitest';
import { Player } from './player.js';
import { prompt, recorded } from './recorded.js';
import { tinyModel } from './tiny-model.js';

/** How far the likeliest token must lead, as a share of the largest logit: several times what roundings move. */
const lead = 0.1;

it.each(recorded)(
  '$format: each recorded token leads clearly, and the answer is not one token over and over',
  async (entry) => {
    const backend = await reference.open('reference');
    const player = await Player.prepare(backend, tinyModel(entry.format, entry.seed), 'f16');
    const answers = await player.continue(prompt, entry.tokens.length, [1, 0]);
    expect(answers.map(({ next }) => next)).toEqual(entry.tokens);
    for (const { logits } of answers) {
      const [first, second] = [...logits].sort((a, b) => b - a);
      const largest = logits.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
      expect((first! - second!) / largest).toBeGreaterThan(lead);
    }
    expect(new Set(entry.tokens).size).toBeGreaterThan(3);
    await backend.close();
  },
);

it('the weights depend on the seed alone', () => {
  const bytes = (seed: string) => tinyModel('q8_0', seed).weights()['layer.1.up'];
  expect(bytes('1')).toEqual(bytes('1'));
  expect(bytes('1')).not.toEqual(bytes('2'));
});
