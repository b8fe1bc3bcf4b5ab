import { type CacheFormat, cacheFormats } from '@pocketllm/abi';
import { type AttentionScript, attentionCase, type HistoryFiller } from './attention-case.js';
import { walk } from './lists.js';

type Script = Omit<AttentionScript, 'format'>;

/** Two key heads with two query heads each, of a common size. */
const common = { kvHeads: 2, group: 2, headSize: 64 } as const;

const filled =
  (value: number): HistoryFiller =>
  (count) =>
    new Float32Array(count).fill(value);
const scaled =
  (factor: number): HistoryFiller =>
  (count, random) =>
    random.floats(count).map((value) => value * factor);
const secondIsNaN: HistoryFiller = (count, random, sequence) =>
  sequence === 1 ? new Float32Array(count).fill(Number.NaN) : random.floats(count);

/** Heads of every size and ratio, prompts and answers together, contexts that end around a page's end. */
const shapes: Script[] = walk<unknown>({
  headSize: [64, 80, 96, 128, 256],
  group: [1, 2, 3, 4, 8],
  kvHeads: [2, 1, 2, 1, 1],
  sequences: [
    [[5, 1, 1]],
    [[31, 1, 1], [7]],
    [
      [32, 1],
      [1, 1],
      [0, 3, 1],
    ],
    [[33, 30, 1, 1]],
    [
      [3, 1],
      [64, 1],
    ],
  ],
}).map((shape) => {
  const { headSize, group, kvHeads, sequences } = shape as unknown as Script;
  const lengths = sequences.map((rows) => rows.join('+')).join(' and ');
  return {
    name: `headSize ${headSize}, ${group} heads for each of ${kvHeads}, rows ${lengths}`,
    ...{ headSize, group, kvHeads, sequences },
  };
});

const windows: Script[] = [1, 7, 32, 33].map((window) => ({
  ...common,
  name: `a window of ${window} ends where it should`,
  window,
  sequences: [
    [40, 1, 1],
    [5, 30, 4],
  ],
}));

const features: Script[] = [
  ...windows,
  { ...common, name: 'a softcap bounds the scores', softcap: 5, q: scaled(6), sequences: [[20, 1]] },
  {
    ...common,
    name: 'masked positions stay masked under a softcap',
    softcap: 0.5,
    q: scaled(6),
    sequences: [[20, 1]],
  },
  { ...common, name: 'sinks take their share', sinks: true, sequences: [[20, 1, 1]] },
  { ...common, name: 'one row with a sink shares with it', sinks: true, sequences: [[1]] },
  {
    ...common,
    name: 'window, softcap and sinks work together',
    ...{
      window: 9,
      softcap: 4,
      sinks: true,
      group: 4,
      sequences: [
        [20, 1, 1],
        [3, 4],
      ],
    },
  },
  { ...common, name: 'values may be longer than keys', valueSize: 96, sequences: [[9, 1]] },
  { ...common, name: 'values may be shorter than keys', headSize: 96, valueSize: 32, sequences: [[9, 1]] },
  { ...common, name: 'a long context', kvHeads: 1, sequences: [[1060, 1, 1]], judgedFrom: 1 },
  {
    ...common,
    name: 'many short sequences in one step',
    sequences: Array.from({ length: 9 }, (_, i) => [i + 1, 1, 1]),
  },
  { ...common, name: 'a prompt in many chunks', sequences: [[1, 2, 30, 1, 31, 5]] },
  {
    ...common,
    name: 'equal scores give the mean of what a row may see',
    k: filled(0),
    sequences: [
      [35, 1],
      [3, 1],
    ],
  },
  { ...common, name: 'scores beyond the range of exp do not overflow', q: scaled(40), sequences: [[9, 1]] },
  { ...common, name: 'scores near zero keep their digits', q: scaled(0.01), sequences: [[3, 6, 1]] },
  { ...common, name: 'values of 6e4 do not overflow', v: filled(6e4), sequences: [[9, 1]] },
  {
    ...common,
    name: 'a sequence of NaN does not reach the others',
    ...{
      q: secondIsNaN,
      k: secondIsNaN,
      v: secondIsNaN,
      sequences: [
        [9, 1],
        [6, 1],
        [20, 1],
      ],
    },
  },
];

/** Rows of values other than random ones have to be exact in the cache. */
const suits = (format: CacheFormat) => (script: Script) =>
  format !== 'q8_0' ||
  ((script.headSize % 32) + ((script.valueSize ?? 0) % 32) === 0 && script.v !== secondIsNaN);

export const attentionCases = cacheFormats.flatMap((format) =>
  [...shapes, ...features].filter(suits(format)).map((script) => attentionCase({ ...script, format })),
);
