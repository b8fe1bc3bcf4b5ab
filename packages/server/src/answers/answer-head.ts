import { randomBytes } from 'node:crypto';

/** What every part of an answer repeats. */
export interface AnswerHead {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly model: string;
}

export const newId = (prefix: string): string => prefix + randomBytes(16).toString('hex');

export const answerHead = (prefix: string, model: string): AnswerHead => ({
  id: newId(prefix),
  created: Math.floor(Date.now() / 1000),
  model,
});
