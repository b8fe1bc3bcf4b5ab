import {
  type Backend,
  checkCapabilities,
  type Equality,
  type WeightFormatName,
  weightFormats,
} from '@pocketllm/abi';
import { firstDifference } from '../cases/judges.js';
import { refusal } from '../claims.js';
import type { ContractContext, ContractTest } from '../contract/index.js';
import { referenceBackend } from '../oracle.js';
import { ensure } from '../verdict.js';
import {
  type Answer,
  cacheFormatFor,
  type Feed,
  Player,
  pageCount,
  programFor,
  type Sequence,
} from './player.js';
import { prompt, type RecordedAnswer, recorded } from './recorded.js';
import { type TinyModel, tinyModel, vocabulary } from './tiny-model.js';

const models = new Map<string, TinyModel>();

function modelOf({ format, seed }: RecordedAnswer): TinyModel {
  const model = models.get(format) ?? tinyModel(format, seed);
  models.set(format, model);
  return model;
}

/**
 * How far logits may lie from right ones, as a share of the largest: through two layers the permitted rounding
 * of activations adds up, which no rule for single ops says.
 */
function shareOf(format: WeightFormatName): number {
  if (format === 'f32') return 2 ** -12;
  return weightFormats[format].block.weights === 1 ? 2 ** -6 : 2 ** -3;
}

/** Fails where answers differ: in any bit where `exact`, else by more than the format permits. */
function ensureAlike(
  expected: readonly Answer[],
  actual: readonly Answer[],
  format: WeightFormatName,
  exact: boolean,
): void {
  expected.forEach(({ logits }, place) => {
    const other = actual[place]!.logits;
    if (exact) {
      const at = firstDifference(logits, other);
      ensure(at === -1, `token ${place}: logit ${at} is ${other[at]} and not ${logits[at]}, to the bit`);
      return;
    }
    const allowed = shareOf(format) * logits.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
    const at = logits.findIndex((value, i) => !(Math.abs(value - other[i]!) <= allowed));
    ensure(
      at === -1,
      `token ${place}: logit ${at} is ${other[at]}, expected ${logits[at]} within ${allowed}`,
    );
  });
}

const pagesInOrder = Array.from({ length: pageCount }, (_, page) => page);

/** Tokens of a prompt that fills more than two pages. */
const longPrompt = Array.from({ length: 75 }, (_, i) => (i * 29 + 11) % vocabulary);

interface Setting {
  readonly context: ContractContext;
  readonly entry: RecordedAnswer;
  readonly backend: Backend;
  /** Runs `act` with the model on the backend. */
  play<T>(act: (player: Player) => Promise<T>, backend?: Backend): Promise<T>;
}

function modelTest(
  entry: RecordedAnswer,
  fact: string,
  run: (setting: Setting) => Promise<void>,
): ContractTest {
  return {
    name: `${entry.format}: ${fact}`,
    skip: ({ device }) => {
      const program = programFor(modelOf(entry), device);
      const refused = refusal(() => checkCapabilities(program, device.capabilities, device.id));
      return refused ?? (cacheFormatFor(device) ? undefined : 'no cache format is claimed');
    },
    timeoutMs: 120_000,
    async run(context) {
      const backend = await context.open();
      const play: Setting['play'] = async (act, on = backend) => {
        const player = await Player.prepare(on, modelOf(entry), cacheFormatFor(context.device)!);
        const result = await act(player);
        await player.close();
        return result;
      };
      await run({ context, entry, backend, play });
    },
  };
}

/** A rule of equality: `right` and `other` have to give the same answers, to the bit where that is claimed. */
function equality(
  entry: RecordedAnswer,
  rule: Equality,
  fact: string,
  right: (player: Player) => Promise<Answer[]>,
  other: (player: Player) => Promise<Answer[]>,
): ContractTest {
  return modelTest(entry, fact, async ({ backend, play }) => {
    const exact = backend.device.capabilities.bitExact.includes(rule);
    ensureAlike(await play(right), await play(other), entry.format, exact);
  });
}

const sequenceOn = (...pages: readonly number[]): Sequence => ({ length: 0, pages });
const prefill = (sequence: Sequence, tokens: readonly number[]): Feed => ({
  sequence,
  tokens,
  phase: 'prefill',
});
const decode = (sequence: Sequence, token: number): Feed => ({ sequence, tokens: [token], phase: 'decode' });

/** How many answer together in each step of a company, around what kernels take at once. */
const companies = [2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 32, 33];

/** Answers of as many sequences as the largest company has, of which a few share each step or each has its own. */
const answerIn = (together: boolean) => async (player: Player) => {
  const most = Math.max(...companies);
  const sequences = Array.from({ length: most }, (_, i) =>
    // One of them fills pages, and another comes to the end of one.
    i === 1 ? sequenceOn(1, most, most + 1) : i === 2 ? sequenceOn(2, most + 2) : sequenceOn(i),
  );
  for (const [i, sequence] of sequences.entries()) {
    const length = i === 1 ? 60 : i === 2 ? 29 : 1 + ((i * 5) % 17);
    await player.feed(prefill(sequence, longPrompt.slice(0, length)));
  }
  const answers: Answer[] = [];
  for (const company of companies) {
    const feeds = sequences
      .slice(0, company)
      .map((sequence, i) => decode(sequence, longPrompt[i + company]! % vocabulary));
    if (together) answers.push(...(await player.feed(...feeds)));
    else for (const feed of feeds) answers.push(...(await player.feed(feed)));
  }
  return answers;
};

const continueAlone = (player: Player) => player.continue(longPrompt, 4, pagesInOrder);

const testsOf = (entry: RecordedAnswer): ContractTest[] => [
  modelTest(entry, 'the model gives the tokens that are recorded', async ({ play }) => {
    const answers = await play((player) => player.continue(prompt, entry.tokens.length, pagesInOrder));
    const tokens = answers.map(({ next }) => next);
    ensure(`${tokens}` === `${entry.tokens}`, `it gives ${tokens}, recorded are ${entry.tokens}`);
  }),
  modelTest(entry, 'its logits are those of the reference', async ({ play }) => {
    const feedAll = (player: Player) => player.feed(prefill(sequenceOn(...pagesInOrder), longPrompt));
    const expected = await play(feedAll, await referenceBackend());
    ensureAlike(expected, await play(feedAll), entry.format, false);
  }),
  equality(entry, 'batch', 'a batch answers as each of its members alone', continueAlone, async (player) => {
    const [one, two, three] = [sequenceOn(5, 0, 9), sequenceOn(1), sequenceOn(2, 3)];
    const others = [longPrompt.slice(30, 49), longPrompt.slice(9, 32)] as const;
    const answers: Answer[] = [];
    const first = await player.feed(
      prefill(two, others[0]),
      prefill(one, longPrompt),
      prefill(three, others[1]),
    );
    answers.push(first[1]!);
    // The others come and go while the one goes on.
    for (const company of [[decode(two, 3)], [], [prefill(three, [4, 5, 6]), decode(two, 9)]]) {
      const step = await player.feed(...company, decode(one, answers.at(-1)!.next));
      answers.push(step.at(-1)!);
    }
    return answers;
  }),
  equality(
    entry,
    'batch',
    'answers that go on together are those of each alone',
    answerIn(false),
    answerIn(true),
  ),
  equality(entry, 'chunks', 'a prompt in chunks answers as in one piece', continueAlone, async (player) => {
    const sequence = sequenceOn(...pagesInOrder);
    let answers: Answer[] = [];
    for (let from = 0; from < longPrompt.length; ) {
      const rows = [1, 31, 2, 30, 7, 64][from % 6]!;
      answers = await player.feed(prefill(sequence, longPrompt.slice(from, from + rows)));
      from += rows;
    }
    while (answers.length < 4) answers.push(...(await player.feed(decode(sequence, answers.at(-1)!.next))));
    return answers;
  }),
  equality(
    entry,
    'chunks',
    'a prefix that is there answers as one computed again',
    continueAlone,
    async (player) => {
      const prefix = sequenceOn(7, 4, 8);
      await player.feed(prefill(prefix, [...longPrompt.slice(0, 64), 1, 2, 3]));
      const sequence = { length: 64, pages: [7, 4, 2] };
      const answers = await player.feed(prefill(sequence, longPrompt.slice(64)));
      while (answers.length < 4) answers.push(...(await player.feed(decode(sequence, answers.at(-1)!.next))));
      return answers;
    },
  ),
  equality(entry, 'pages', 'pages may stand in any order', continueAlone, (player) =>
    player.continue(longPrompt, 4, [11, 3, 14]),
  ),
  modelTest(entry, 'one thread answers as several', async ({ context, backend, play }) => {
    const exact = backend.device.capabilities.bitExact.includes('threads');
    const several = await play(continueAlone);
    await backend.close();
    for (const threads of [1, 3]) {
      const other = await context.open({ threads });
      ensureAlike(several, await play(continueAlone, other), entry.format, exact);
      await other.close();
    }
  }),
];

/** The tiny model in each of its formats: the tokens that it gives, and the rules of equality. */
export const modelTests: readonly ContractTest[] = recorded.flatMap(testsOf);
