import type { ServedModel } from '../api/api.js';
import type { AnswerMessage } from '../conversation/conversation.js';

const grouped = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

export const number = (value: number): string => grouped.format(value);

/** 4.2 million as 4.2M. */
export const roughly = (value: number): string => short.format(value);

/** A stretch of time in the unit that fits it. */
export function duration(ms: number): string {
  if (ms < 950) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1000)} s`;
}

export const plural = (count: number, word: string): string =>
  `${number(count)} ${word}${count === 1 ? '' : 's'}`;

/** Tokens of an answer and how fast they came, most telling first. A count that is not the server's is marked. */
export function countsOf({ counts }: AnswerMessage): string[] {
  if (counts === undefined) return [];
  const { promptTokens, tokens, waitMs, writeMs } = counts;
  const about = promptTokens === undefined ? '≈ ' : '';
  // The first piece starts the clock, so its token is not counted.
  const rate = writeMs > 0 && tokens > 2 ? [`${((tokens - 1) / (writeMs / 1000)).toFixed(1)} tokens/s`] : [];
  return [`${about}${plural(tokens, 'token')}`, ...rate, `first after ${duration(waitMs)}`];
}

/** Which model runs where. */
export const whereText = ({ backend, device }: ServedModel): string =>
  device.startsWith(backend) ? device : `${backend} · ${device}`;

const dayMs = 86_400_000;

/** How long ago, as a heading. */
export function ageText(time: number, now = new Date()): string {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  if (time >= midnight) return 'Today';
  if (time >= midnight - dayMs) return 'Yesterday';
  return time >= midnight - 7 * dayMs ? 'This week' : 'Earlier';
}
