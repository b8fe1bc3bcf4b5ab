import { beforeAll, describe, expect, it } from 'vitest';
import { taleTokenizer } from '../../../../tests/support/tale-tokenizer.js';
import type { TokenConstraint } from '../sampling/index.js';
import type { Tokenizer } from '../tokenizer/index.js';
import { Constraints } from './constraints.js';

const reasoning = { open: '<think>', close: '</think>' };
const responseFormat = { type: 'json_schema', schema: { const: 'ok' } } as const;

let tokenizer: Tokenizer;
let constraints: Constraints;
/** The same tags, in ordinary tokens. */
let spelled: Constraints;
const spelledTags = { open: '[THINK]', close: '[/THINK]' };

beforeAll(async () => {
  tokenizer = await taleTokenizer();
  const tags = [reasoning.open, reasoning.close].map((tag) => tokenizer.idOf(tag)!);
  constraints = new Constraints(tokenizer, { source: '', reasoning, reasoningTokens: new Set(tags) });
  spelled = new Constraints(tokenizer, { source: '', reasoning: spelledTags, reasoningTokens: new Set() });
});

const end = () => [...tokenizer.endOfGeneration][0]!;
const ids = (text: string) => tokenizer.encode(text, { parseSpecial: true });

function isPossible(constraint: TokenConstraint, id: number): boolean {
  const logits = new Float32Array(tokenizer.vocabularySize);
  constraint.mask(logits);
  return logits[id] === 0;
}

/** Follows a text token by token; gives the first that was not possible. */
function follow(constraint: TokenConstraint, text: string): string | undefined {
  for (const id of ids(text)) {
    if (!isPossible(constraint, id)) return tokenizer.token(id).text;
    constraint.accept(id);
  }
  return undefined;
}

const of = (prompt: string, enableThinking?: boolean, from = constraints) =>
  from.ofChat(prompt, { responseFormat, enableThinking })!();

describe('a prompt that leaves it to the model whether it thinks', () => {
  it.each(['<think>\nHm, "no".\n</think>\n\n"ok"', '<think></think>"ok"', '"ok"'])(
    'allows %j',
    async (text) => {
      const constraint = await of('Hi.\n');
      expect(follow(constraint, text)).toBeUndefined();
      expect(isPossible(constraint, end())).toBe(true);
      constraint.dispose();
    },
  );

  it.each(['no', '\n"ok"', '</think>'])('does not allow %j', async (text) => {
    const constraint = await of('Hi.\n');
    expect(follow(constraint, text)).toBeDefined();
    constraint.dispose();
  });
});

describe('a prompt that ends in the reasoning', () => {
  it('leaves all open until the closing tag, but the end of the answer', async () => {
    const constraint = await of('Hi.\n<think>\n');
    expect(follow(constraint, 'I may think "what I like", {even} <think>')).toBeUndefined();
    expect(isPossible(constraint, end())).toBe(false);
    expect(follow(constraint, '\n</think>\n\n')).toBeUndefined();
    expect(isPossible(constraint, ids('no')[0]!)).toBe(false);
    expect(isPossible(constraint, end())).toBe(false);
    expect(follow(constraint, '"ok"')).toBeUndefined();
    expect(isPossible(constraint, end())).toBe(true);
    constraint.dispose();
  });
});

describe('tags that are spelled in several tokens', () => {
  it('are found as they come, and nothing of the answer stands in the last of their tokens', async () => {
    const constraint = await of('Hi.\n', true, spelled);
    expect(follow(constraint, '[THINK]a [/THIN [/THINK]\n"ok"')).toBeUndefined();
    expect(isPossible(constraint, end())).toBe(true);
    constraint.dispose();
  });

  it('leave no way out once they are begun', async () => {
    const constraint = await of('Hi.\n', true, spelled);
    expect(follow(constraint, '[TH')).toBeUndefined();
    expect(follow(constraint, '"ok"')).toBeDefined();
    constraint.dispose();
  });
});

describe('a prompt without reasoning', () => {
  it.each([
    ['closed already', 'Hi.\n<think>\n\n</think>\n\n', undefined],
    ['turned off', 'Hi.\n', false],
  ])('is held from the start: %s', async (_, prompt, enableThinking) => {
    const constraint = await of(prompt, enableThinking);
    expect(isPossible(constraint, ids('<think>')[0]!)).toBe(false);
    expect(follow(constraint, '"ok"')).toBeUndefined();
    constraint.dispose();
  });
});
