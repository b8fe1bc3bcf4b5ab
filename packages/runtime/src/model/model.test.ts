import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { control } from '../../../../tests/support/hand-made-vocabulary.js';
import { type ScriptedParts, scriptedBackend } from '../../../../tests/support/scripted-backend.js';
import { GgufModel, type GgufNumberArray, type GgufValue } from '../gguf/index.js';
import { openGgufFile, openModel } from '../node/index.js';
import { createTokenizer } from '../tokenizer/index.js';
import { Model } from './model.js';

const tale = fileURLToPath(new URL('../../../../models/tale-q8_0.gguf', import.meta.url));
const open = (script: readonly number[], parts: ScriptedParts = {}) =>
  openModel(tale, { backend: scriptedBackend(script, parts), maxModelLen: 64 });

describe('a prompt of token ids', () => {
  let model: Model;
  beforeAll(async () => {
    model = await open([7]);
  });
  afterAll(() => model.close());

  it.each([
    ['below 0', [1, -1]],
    ['beyond the vocabulary', [1, 4096]],
    ['beyond 32 bits', [1, 2 ** 32]],
    ['that is no integer', [1, 1.5]],
    ['that is no number', [1, Number.NaN]],
    ['that is missing', [1, undefined]],
    ['that was never set', Object.assign([1], { length: 2 })],
  ])('is refused for one %s', (_, prompt) => {
    expect(() => model.complete(prompt as number[])).toThrow(
      expect.objectContaining({
        code: 'REQUEST_INVALID',
        details: { field: 'prompt[1]', expected: 'a token id below 4096', found: String(prompt[1]) },
      }),
    );
  });

  it('is taken as it was when it was checked', async () => {
    const prompt = [1, 2, 3];
    const generation = model.complete(prompt, { temperature: 0, maxTokens: 1 });
    prompt.push(99_999);
    prompt[0] = -1;
    expect((await generation.result()).promptTokens).toEqual([1, 2, 3]);
  });
});

/** Tale, in a file that calls two tags control tokens, and their ids. */
async function withControlTags(...tags: readonly [open: string, close: string]) {
  const key = 'tokenizer.ggml.token_type';
  const file = await openGgufFile(tale);
  const types = file.metadata.get(key) as GgufNumberArray;
  const tokenizer = createTokenizer(file.metadata);
  const [open, close] = [tokenizer.idOf(tags[0])!, tokenizer.idOf(tags[1])!];
  const values = Int32Array.from(types.values as Int32Array);
  values[open] = values[close] = control;
  return { file: withKey(file, key, { ...types, values }), tokenizer, open, close };
}

describe('an answer with tags that the file calls control tokens', () => {
  it('has its reasoning apart in a chat, and hides them in a completion', async () => {
    const { file, tokenizer, open, close } = await withControlTags('<think>', '</think>');
    const script = [open, ...tokenizer.encode('Hm.'), close, ...tokenizer.encode('Yes.')];
    const options = { temperature: 0, maxTokens: script.length };
    await using model = await Model.load(file, scriptedBackend([...script, ...script]));
    const chat = await model.chat([{ role: 'user', content: 'Hi' }], options).result();
    expect(chat).toMatchObject({ reasoning: 'Hm.', text: 'Yes.' });
    expect((await model.complete('Hi', options).result()).text).toBe('Hm.Yes.');
  });
});

describe('a call between tags that the file calls control tokens', () => {
  it('is found in a chat that reads calls', async () => {
    const { file, tokenizer, open, close } = await withControlTags('<tool_call>', '</tool_call>');
    const script = [open, ...tokenizer.encode('\n{"name": "f", "arguments": {}}\n'), close];
    await using model = await Model.load(file, scriptedBackend(script));
    const tools = [{ type: 'function', function: { name: 'f', parameters: {} } }] as const;
    const options = { temperature: 0, maxTokens: script.length, enableThinking: false, tools };
    const chat = await model
      .chat([{ role: 'user', content: 'Hi' }], { ...options, readCalls: true })
      .result();
    expect(chat).toMatchObject({ text: '', calls: [{ name: 'f' }] });
  });
});

describe('closing', () => {
  it('ends the answers that wait for room and those that nobody has read yet', async () => {
    const model = await open([7]);
    const reading = model.complete([1], { temperature: 0 })[Symbol.asyncIterator]();
    await reading.next();
    const waiting = model.complete([1], { temperature: 0 }).result();
    const unread = model.complete([1], { temperature: 0, maxTokens: 1 });
    const closing = model.close();
    await expect(waiting).rejects.toMatchObject({ code: 'CLOSED' });
    await expect(unread.result()).rejects.toMatchObject({ code: 'CLOSED' });
    await closing;
    await reading.return?.();
    expect(() => model.complete([1])).toThrow(expect.objectContaining({ code: 'CLOSED' }));
  });

  const failing = {
    'throws at once': () => {
      throw new Error('stuck');
    },
    fails: async () => {
      throw new Error('stuck');
    },
  };

  it.skipIf(!existsSync('/proc/self/fd')).each(Object.entries(failing))(
    'gives the file back where the backend %s (needs /proc)',
    async (_, close) => {
      const model = await open([7], { backend: { close } });
      expect(openFiles()).toBe(1);
      await expect(model.close()).rejects.toThrow('stuck');
      expect(openFiles()).toBe(0);

      const prepare = async () => {
        throw new Error('the first fault');
      };
      await expect(open([7], { backend: { close, prepare } })).rejects.toThrow('the first fault');
      expect(openFiles()).toBe(0);
    },
  );
});

describe('a step', () => {
  const best = Int32Array.of(7);
  const best_logit = Float32Array.of(1);
  it.each([
    ['nothing', undefined, 'best as Int32Array of 1'],
    ['no outputs', { outputs: {} }, 'best as Int32Array of 1'],
    ['a list for an array', { outputs: { best: [7], best_logit } }, 'best as Int32Array of 1'],
    ['an id below 0', { outputs: { best: Int32Array.of(-1), best_logit } }, 'best below 4096'],
    [
      'an id beyond the vocabulary',
      { outputs: { best: Int32Array.of(4096), best_logit } },
      'best below 4096',
    ],
    ['no logit', { outputs: { best } }, 'best_logit as Float32Array of 1'],
    ['no logits', { outputs: { best, best_logit } }, 'logits as Float32Array of 4096'],
    [
      'too few logits',
      { outputs: { best, best_logit, logits: new Float32Array(4095) } },
      'logits as Float32Array of 4096',
    ],
  ])('that gives %s is refused before anything is chosen', async (_, result, expected) => {
    await using model = await open([7], { run: () => result });
    await expect(model.complete([1], { temperature: 1, topK: 0, seed: 1 }).result()).rejects.toMatchObject({
      code: 'LOGITS_INVALID',
      details: { expected },
    });
  });

  const likeliest = new Int32Array(64);
  const likeliest_logits = new Float32Array(64);
  it.each([
    ['no list', { best, best_logit }, 'likeliest as Int32Array of 64'],
    ['too few of the likeliest', { likeliest: best, likeliest_logits }, 'likeliest as Int32Array of 64'],
    [
      'an id beyond the vocabulary',
      { likeliest: likeliest.with(63, 4096), likeliest_logits },
      'likeliest below 4096',
    ],
    ['no logits of them', { likeliest }, 'likeliest_logits as Float32Array of 64'],
  ])('that gives %s where it is to give the likeliest is refused', async (_, outputs, expected) => {
    await using model = await open([7], { run: () => ({ outputs }) });
    await expect(model.complete([1], { temperature: 1, topK: 20 }).result()).rejects.toMatchObject({
      code: 'LOGITS_INVALID',
      details: { expected },
    });
  });

  it('is the last one where the signal fires, though the backend does not look at it', async () => {
    const abort = new AbortController();
    let steps = 0;
    const run: ScriptedParts['run'] = (usual) => {
      if (++steps === 3) abort.abort();
      return usual();
    };
    await using model = await open([7], { run });
    const result = await model.complete([1], { temperature: 0, signal: abort.signal }).result();
    expect(result).toMatchObject({ finishReason: 'cancelled', tokens: [7, 7, 7] });
    expect(steps).toBe(3);
  });
});

describe('loading', () => {
  it('logs the name in the file fit to be shown', async () => {
    const name = { type: 'string', value: 'Tale\u001b[2J', offset: 0 } as const;
    const lines: string[] = [];
    const logger = (_: string, line: string) => void lines.push(line);
    const file = withKey(await openGgufFile(tale), 'general.name', name);
    await using model = await Model.load(file, scriptedBackend([7]), { logger });
    expect(model.info.name).toBe(name.value);
    expect(lines).toEqual(['Tale\\u{1b}[2J is loaded on scripted, script']);
  });

  it.each([
    ['executable', { prepare: async () => undefined }, 'prepare gives no executable'],
    ['way to run it', { prepare: async () => ({}) }, 'the executable has no method run'],
    ['cache', { createCache: async () => undefined }, 'createCache gives no cache with a spec'],
    ['way to copy pages', { createCache: async () => ({ spec: {} }) }, 'the cache has no method copyPage'],
  ])('refuses a backend that gives no %s', async (_, backend, reason) => {
    await expect(open([7], { backend })).rejects.toMatchObject({
      code: 'PLUGIN_INVALID',
      details: { reason },
    });
  });

  it('compares the cache with what the device claims before a weight is read', async () => {
    let prepared = false;
    const backend = scriptedBackend([7], {
      attention: [
        { op: 'attention', caches: ['f16'], limits: { headSize: { max: 16 } } },
        { op: 'attention', caches: ['q8_0'] },
      ],
      backend: {
        prepare: async () => {
          prepared = true;
        },
      },
    });
    await expect(openModel(tale, { backend })).rejects.toMatchObject({
      code: 'OP_UNSUPPORTED',
      details: { op: 'attention', format: 'f16', reason: 'blk.0: headSize is at most 16, not 64' },
    });
    expect(prepared).toBe(false);
  });

  it('ends where the signal fires, though the backend does not look at it', async () => {
    const loading = openModel(tale, { backend: scriptedBackend([7]), signal: AbortSignal.abort() });
    await expect(loading).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

/** The model with another value for a key. */
function withKey(model: GgufModel, key: string, value: GgufValue): GgufModel {
  const { source, file } = model.parts[0]!;
  return new GgufModel([{ source, file: { ...file, metadata: new Map([...file.metadata, [key, value]]) } }]);
}

/** How often this process holds the model's file open. */
function openFiles(): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === tale;
    } catch {
      return false; // The descriptor that listed the folder is closed by now.
    }
  }).length;
}
