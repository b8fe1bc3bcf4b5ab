import { CACHE_PAGE_POSITIONS } from '@pocketllm/abi';
import { type Call, floats, type Mutant, numbersOf, outOf, runRight, withKernel } from './mutant.js';

/** What an attention that is wrong somewhere does instead; absent where it is right. */
interface Faults {
  /** Positions after the row's own that it sees. */
  readonly ahead?: number;
  /** Added to the window where there is one. */
  readonly widerBy?: number;
  readonly keyHeadOf?: (head: number, heads: number, kvHeads: number) => number;
  /** The pages that a sequence is taken to have. */
  readonly pagesOf?: (pages: readonly number[]) => readonly number[];
  /** Masked scores are capped like the others. */
  readonly capsMasked?: boolean;
  readonly withoutSinks?: boolean;
  /** The largest score is not taken off before exp. */
  readonly withoutShift?: boolean;
  /** Reads keys and values of whole pages, and gives a weight of 0 to those that are masked. */
  readonly readsWholePages?: boolean;
  /** The rows of the step itself are taken as they come, not as the cache holds them. */
  readonly unrounded?: boolean;
}

function attentionWith(faults: Faults) {
  return withKernel('attention', (call) => attend(call, faults));
}

function attend(call: Call, faults: Faults): void {
  const { heads, kvHeads, headSize, valueSize, window, softcap, scale } = numbersOf(call) as Record<
    string,
    number
  > & {
    heads: number;
    kvHeads: number;
    headSize: number;
    valueSize: number;
  };
  const keyHeadOf = faults.keyHeadOf ?? ((head) => Math.floor(head / (heads / kvHeads)));
  const sinks = faults.withoutSinks ? undefined : (call.inputs.sinks as Float32Array | undefined);
  const { keys, values } = call.cache!;
  let row = 0;
  for (const { rows, start, pages: listed } of call.sequences) {
    const pages = faults.pagesOf?.(listed) ?? listed;
    const written = start + rows;
    for (let i = 0; i < rows; i++) {
      keys.write(pages, start + i, floats(call, 'k'), (row + i) * kvHeads * headSize);
      values.write(pages, start + i, floats(call, 'v'), (row + i) * kvHeads * valueSize);
    }
    const room = faults.readsWholePages ? pages.length * CACHE_PAGE_POSITIONS : written;
    for (let head = 0; head < heads; head++) {
      const k = new Float32Array(room * headSize);
      const v = new Float32Array(room * valueSize);
      const kvHead = keyHeadOf(head, heads, kvHeads);
      keys.read(pages, kvHead, 0, room, k);
      values.read(pages, kvHead, 0, room, v);
      if (faults.unrounded) {
        for (let i = 0; i < rows; i++) {
          const from = ((row + i) * kvHeads + kvHead) * headSize;
          k.set(floats(call, 'k').subarray(from, from + headSize), (start + i) * headSize);
        }
      }
      for (let i = 0; i < rows; i++) {
        const last = Math.min(start + i + (faults.ahead ?? 0), written - 1);
        const first = window ? start + i - window + 1 - (faults.widerBy ?? 0) : 0;
        const at = (row + i) * heads + head;
        const q = floats(call, 'q').subarray(at * headSize, (at + 1) * headSize);
        const scores = Array.from({ length: room }, (_, p) => {
          const masked = p > last || p < first;
          if (masked && !faults.capsMasked) return Number.NEGATIVE_INFINITY;
          const dot = q.reduce((sum, value, c) => sum + value * k[p * headSize + c]!, 0) * scale!;
          const score = masked ? Number.NEGATIVE_INFINITY : dot;
          return softcap ? softcap * Math.tanh(score / softcap) : score;
        });
        const shift = faults.withoutShift
          ? 0
          : Math.max(...scores, sinks?.[head] ?? Number.NEGATIVE_INFINITY);
        const weights = scores.map((score) => Math.fround(Math.exp(score - shift)));
        const sink = sinks ? Math.exp(sinks[head]! - shift) : 0;
        const total = weights.reduce((a, b) => a + b, sink);
        for (let c = 0; c < valueSize; c++) {
          const sum = weights.reduce((partial, weight, p) => {
            return weight === 0 && !faults.readsWholePages
              ? partial
              : partial + weight * v[p * valueSize + c]!;
          }, 0);
          outOf(call)[at * valueSize + c] = sum / total;
        }
      }
    }
    row += rows;
  }
}

const small = 'headSize 64, 1 heads for each of 2, rows 5+1+1';

export const attentions: readonly Mutant[] = [
  {
    fault: 'attention lets a row see the next position',
    caughtBy: `cases › attention › f16 › equal scores give the mean of what a row may see`,
    plugin: attentionWith({ ahead: 1 }),
  },
  {
    fault: 'attention does not let a row see itself',
    caughtBy: `cases › attention › f16 › ${small}`,
    plugin: attentionWith({ ahead: -1 }),
  },
  {
    fault: 'attention has a window that is one too wide',
    caughtBy: 'cases › attention › f16 › a window of 7 ends where it should',
    plugin: attentionWith({ widerBy: 1 }),
  },
  {
    fault: 'attention has a window that is one too narrow',
    caughtBy: 'cases › attention › f16 › a window of 33 ends where it should',
    plugin: attentionWith({ widerBy: -1 }),
  },
  {
    fault: 'attention ignores the window',
    caughtBy: 'cases › attention › f16 › a window of 1 ends where it should',
    plugin: attentionWith({ widerBy: 1000 }),
  },
  {
    fault: 'attention deals query heads out to key heads in turn',
    caughtBy: 'cases › attention › f16 › headSize 96, 3 heads for each of 2, rows 32+1 and 1+1 and 0+3+1',
    plugin: attentionWith({ keyHeadOf: (head, _, kvHeads) => head % kvHeads }),
  },
  {
    fault: 'attention applies the softcap after the mask, so that masked positions take part',
    caughtBy: 'cases › attention › f16 › masked positions stay masked under a softcap',
    plugin: attentionWith({ capsMasked: true }),
  },
  {
    fault: 'attention ignores sinks',
    caughtBy: 'cases › attention › f16 › one row with a sink shares with it',
    plugin: attentionWith({ withoutSinks: true }),
  },
  {
    fault: 'attention takes the pages of a sequence in the order of their numbers',
    caughtBy: 'contract › cache pages › full pages may stand in several sequences',
    plugin: attentionWith({ pagesOf: (pages) => pages.toSorted((a, b) => a - b) }),
  },
  {
    fault: 'attention takes pages to follow each other in the cache',
    caughtBy: 'contract › cache pages › a fork goes on from a copy of the page that is not full',
    plugin: attentionWith({ pagesOf: (pages) => pages.map((_, i) => pages[0]! + i) }),
  },
  {
    fault: 'attention does not take the largest score off before exp',
    caughtBy: 'cases › attention › f16 › scores beyond the range of exp do not overflow',
    plugin: attentionWith({ withoutShift: true }),
  },
  {
    fault: 'attention multiplies what stands behind the context by 0, NaN included',
    caughtBy: `cases › attention › f16 › ${small}`,
    plugin: attentionWith({ readsWholePages: true }),
  },
  {
    fault: 'attention uses the keys of its own step before the cache rounds them',
    caughtBy: `cases › attention › q8_0 › ${small}`,
    plugin: attentionWith({ unrounded: true }),
  },
  {
    fault: 'attention_full looks at all rows, whatever their sequence',
    caughtBy: 'cases › attention_full › rows do not see other sequences',
    plugin: withKernel('attention_full', (call) => {
      const sequences = [{ rows: call.sizes.rows!, start: 0, pages: [], phase: 'prefill' as const }];
      runRight('attention_full', { ...call, sequences });
    }),
  },
  {
    fault: 'attention_full is causal',
    caughtBy: 'cases › attention_full › equal scores give the mean',
    plugin: withKernel('attention_full', (call) => {
      const { heads, kvHeads, headSize, valueSize } = numbersOf(call);
      let row = 0;
      for (const { rows } of call.sequences) {
        for (let i = 1; i <= rows; i++) {
          const part = (name: string, width: number) =>
            floats(call, name).subarray(row * width, (row + i) * width);
          const out = new Float32Array(i * heads! * valueSize!);
          runRight('attention_full', {
            ...call,
            inputs: {
              q: part('q', heads! * headSize!),
              k: part('k', kvHeads! * headSize!),
              v: part('v', kvHeads! * valueSize!),
            },
            outputs: { out },
            sizes: { ...call.sizes, rows: i },
            sequences: [{ rows: i, start: 0, pages: [], phase: 'prefill' }],
          });
          const width = heads! * valueSize!;
          outOf(call).set(out.subarray((i - 1) * width), (row + i - 1) * width);
        }
        row += rows;
      }
    }),
  },
];
