import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hasShared, sharedPath } from '../../../../tests/support/shared.js';
import { readGguf } from '../gguf/index.js';
import { openFile } from '../node/file-source.js';
import { createTokenizer } from './create-tokenizer.js';
import type { TextPart, Tokenizer } from './tokenizer.js';

const readJson = (path: string) => JSON.parse(readFileSync(sharedPath(path), 'utf8'));

async function tokenizerOf(path: string, warn?: (warning: string) => void): Promise<Tokenizer> {
  const source = await openFile(sharedPath(path));
  try {
    return createTokenizer((await readGguf(source)).metadata, warn);
  } finally {
    await source.close?.();
  }
}

interface TokenizerCase {
  readonly text: string;
  readonly parse_special_true: number[];
  readonly parse_special_false: number[];
  /** Where the ids do not give back the text. */
  readonly detokenized?: string;
  readonly detokenized_hex?: string;
}

describe.skipIf(!hasShared('fixtures'))('ids of llama.cpp (needs ../shared)', () => {
  test.each([
    { model: 'fixtures/qwen3-vocab.gguf', cases: 'fixtures/tokenizer-qwen3-cases.json' },
    { model: 'fixtures/tiny-qwen3-Q8_0.gguf', cases: 'fixtures/tokenizer-tiny-cases.json' },
    { model: 'models/smollm2-135m-instruct-q4_1.gguf', cases: 'models/smollm2-tokenizer-cases.json' },
  ])('$model', async ({ model, cases }) => {
    const tokenizer = await tokenizerOf(model);
    const list: TokenizerCase[] = readJson(cases).cases;
    expect(list.length).toBeGreaterThanOrEqual(220);
    for (const one of list) {
      expect(tokenizer.encode(one.text, { parseSpecial: true }), one.text).toEqual(one.parse_special_true);
      expect(tokenizer.encode(one.text), one.text).toEqual(one.parse_special_false);
      const bytes = Buffer.concat(one.parse_special_true.map((id) => tokenizer.tokenBytes(id)));
      if (one.detokenized_hex) expect(bytes.toString('hex')).toBe(one.detokenized_hex);
      else
        expect(tokenizer.decode(one.parse_special_true, { special: true })).toBe(one.detokenized ?? one.text);
    }
  });

  test('ids of the public Qwen3 tokenizer, which composes characters first', async () => {
    const tokenizer = await tokenizerOf('fixtures/qwen3-vocab.gguf');
    const { texts, ids }: { texts: string[]; ids: { qwen3: number[][] } } =
      readJson('facts/vectors/tokens.json');
    const found = texts.map((text) => tokenizer.encode(text.normalize('NFC'), { parseSpecial: true }));
    expect(found).toEqual(ids.qwen3);
  });
});

interface Message {
  readonly role: string;
  readonly content: string;
}

/** A rendered ChatML prompt in parts: message contents are untrusted. */
function partsOf(prompt: string, messages: readonly Message[]): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { role, content } of messages) {
    const head = `<|im_start|>${role}\n`;
    const start = prompt.indexOf(head + content, end) + head.length;
    expect(start).toBeGreaterThan(head.length - 1);
    parts.push({ text: prompt.slice(end, start), trusted: true }, { text: content, trusted: false });
    end = start + content.length;
  }
  return [...parts, { text: prompt.slice(end), trusted: true }];
}

interface PromptCase {
  readonly name: string;
  readonly prompt: string;
  readonly prompt_ids: number[];
  readonly messages?: Message[] | null;
}

describe.skipIf(!hasShared('models'))('prompts of recorded models (needs ../shared)', () => {
  test.each([
    { expected: 'models/smollm2-expected.json', folder: 'models', ends: [0, 2, 4] },
    { expected: 'models/tale-expected.json', folder: 'models', ends: [4087, 4089] },
    { expected: 'fixtures/expected.json', folder: 'fixtures', ends: [1016, 1018, 1023] },
  ])('$expected: the same ids, and the same ends', async ({ expected, folder, ends }) => {
    const models: { file: string; cases: PromptCase[] }[] = Object.values(readJson(expected).models);
    // Files of one set have the same vocabulary.
    const tokenizer = await tokenizerOf(`${folder}/${models[0]!.file}`);
    for (const { name, prompt, prompt_ids, messages } of models.flatMap((model) => model.cases)) {
      const ids = messages
        ? tokenizer.encodeParts(partsOf(prompt, messages), { addBos: true })
        : tokenizer.encode(prompt, { parseSpecial: true, addBos: true });
      expect(ids, name).toEqual(prompt_ids);
    }
    expect([...tokenizer.endOfGeneration].sort((a, b) => a - b)).toEqual(ends);
  });

  test('SmolLM2: the same ids for rendered conversations', async () => {
    const tokenizer = await tokenizerOf('models/smollm2-135m-instruct-q4_1.gguf');
    const { cases } = readJson('models/smollm2-chat-template-cases.json');
    for (const { rendered, messages, ids } of cases) {
      expect(tokenizer.encodeParts(partsOf(rendered, messages))).toEqual(ids);
    }
  });
});

describe.skipIf(!hasShared('fixtures/hostile-gguf'))('hostile files (needs ../shared)', () => {
  const folder = 'fixtures/hostile-gguf';

  test.each([
    ['type-token-type-u8', 'tokenizer.ggml.token_type', 3451],
    ['eos-2e32-1', 'tokenizer.ggml.eos_token_id', 4788],
    ['token-type-short', 'tokenizer.ggml.token_type', 3455],
    ['tokens-more-than-rows', 'tokenizer.ggml.token_type', undefined],
  ])('%s is refused by the key at fault', async (name, field, offset) => {
    const details = { field, ...(offset === undefined ? {} : { offset }) };
    await expect(tokenizerOf(`${folder}/${name}.gguf`)).rejects.toMatchObject({
      code: 'MODEL_MALFORMED',
      details,
    });
  });

  test.each(['control-f32', 'scores-nan', 'tokens-invalid-utf8', 'vocab-size-1000', 'merges-unknown-token'])(
    '%s loads, and its prompt is that of the control',
    async (name) => {
      const warnings: string[] = [];
      const tokenizer = await tokenizerOf(`${folder}/${name}.gguf`, (warning) => warnings.push(warning));
      expect(tokenizer.encode('hello')).toEqual([263, 78]);
      expect(tokenizer.encode('zzqq')).toHaveLength(4);
      const expected = name === 'merges-unknown-token' ? [expect.stringContaining('1 merge')] : [];
      expect(warnings).toEqual(expected);
    },
  );
});
