import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { isPocketError } from '@pocketllm/abi';
import reference from '@pocketllm/reference';
import { type Generation, type Model, openGguf } from '@pocketllm/runtime';
import { openFile, openModel } from '@pocketllm/runtime/node';
import { describe, expect, it } from 'vitest';
import { processorMs } from '../support/processor-time.js';
import { hasShared, sharedPath } from '../support/shared.js';

const folder = 'fixtures/hostile-gguf';

interface HostileCase {
  readonly id: string;
  readonly description: string;
  readonly open: string;
  readonly expected: 'load' | 'refuse' | 'load-or-refuse' | 'bounded' | 'inspect-only';
  readonly error_names?: readonly string[];
  readonly offset?: number | undefined;
  /** What is done with a file that loads. */
  readonly drive: 'load' | 'chat';
  readonly prompt?: string;
  /** The control whose greedy tokens a harmless oddity must give. */
  readonly same_output_as?: string;
}

interface Expected {
  readonly cases: readonly HostileCase[];
  readonly reference_greedy: Readonly<
    Record<string, { readonly prompt: string; readonly ids: readonly number[] }>
  >;
}

const expected: Expected = hasShared(folder)
  ? JSON.parse(readFileSync(sharedPath(`${folder}/expected.json`), 'utf8'))
  : { cases: [], reference_greedy: {} };

/** What a harmless oddity must be named by in the warnings, where loading it is allowed. */
const warnedOf: Readonly<Record<string, RegExp>> = {
  'trailing-garbage': /160 extra bytes/,
  'tokens-invalid-utf8': /tokenizer\.ggml\.tokens: 1 strings/,
};

// Of processor time, since other tests share the machine.
const refusalMs = 500;
const refusalBytes = 64 * 2 ** 20;
const templateMs = 5000;
const controls = /[\p{Cc}\p{Cf}]/u;

function usedBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Files of the folder that this process holds open, where the system can say. */
function openHostileFiles(): string[] {
  if (!existsSync('/proc/self/fd')) return [];
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`);
      return target.includes(folder) ? [target] : [];
    } catch {
      return []; // The descriptor that listed the folder is closed by now.
    }
  });
}

/** What was thrown, or undefined. */
async function failureOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error;
  }
}

function expectNamedRefusal(error: unknown, { error_names: names = [], offset }: HostileCase): void {
  if (!isPocketError(error)) throw error;
  expect(error.message.length).toBeLessThan(2000);
  expect(error.message).not.toMatch(controls);
  const text = `${error.message} ${JSON.stringify(error.details)}`.toLowerCase();
  expect(names.filter((name) => text.includes(name.toLowerCase()))).not.toEqual([]);
  if (offset !== undefined) expect(error.details).toMatchObject({ offset });
}

/** A file that loaded: what it then generates must be right, or end in a named error. */
async function drive(model: Model, hostile: HostileCase): Promise<void> {
  const greedy = { temperature: 0, maxTokens: 24, ignoreEos: true };
  const control = expected.reference_greedy[hostile.same_output_as ?? ''];
  const prompt = control?.prompt ?? hostile.prompt ?? 'hello';
  const generate = (): Generation =>
    hostile.drive === 'chat'
      ? model.chat([{ role: 'user', content: 'hello' }], greedy)
      : model.complete(prompt, greedy);
  const started = processorMs();
  const failure = await failureOf(async () => {
    const { tokens } = await generate().result();
    if (control) expect(tokens).toEqual(control.ids);
  });
  if (failure !== undefined) {
    expect(hostile.expected === 'load', String(failure)).toBe(false);
    expectNamedRefusal(failure, { ...hostile, offset: undefined });
  }
  expect(processorMs() - started).toBeLessThan(templateMs);
  // Whatever happened, a raw completion after it works or fails by the same name.
  const after = await failureOf(() => model.complete('hello', greedy).result());
  if (hostile.drive === 'chat') expect(after).toBeUndefined();
}

describe.skipIf(!hasShared(folder))('hostile GGUF files (needs ../shared/fixtures/hostile-gguf)', () => {
  it.each(expected.cases)('$id ends as it must: $expected', async (hostile) => {
    const path = sharedPath(`${folder}/${hostile.open}`);
    const prototypeBefore = Object.getOwnPropertyNames(Object.prototype);
    const bytesBefore = usedBytes();
    const started = processorMs();
    let model: Model | undefined;
    const failure = await failureOf(async () => {
      model = await openModel(path, { backend: reference });
    });
    const elapsed = processorMs() - started;
    const bytes = usedBytes() - bytesBefore;
    if (model) {
      expect(['load', 'load-or-refuse', 'bounded']).toContain(hostile.expected);
      const warnings = model.info.warnings.join('\n');
      if (warnedOf[hostile.id]) expect(warnings).toMatch(warnedOf[hostile.id]!);
      expect(warnings).not.toMatch(/[^\n\P{Cc}]|\p{Cf}/u);
      await drive(model, hostile);
      await model.close();
    } else {
      expect(hostile.expected).not.toBe('load');
      expectNamedRefusal(failure, hostile);
      expect(elapsed).toBeLessThan(refusalMs);
      expect(bytes).toBeLessThan(refusalBytes);
    }
    expect(openHostileFiles()).toEqual([]);
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(prototypeBefore);
  });

  it.each(expected.cases.filter((hostile) => hostile.expected === 'inspect-only'))(
    'the header of $id can be listed',
    async ({ open }) => {
      const file = await openGguf(sharedPath(`${folder}/${open}`), openFile);
      expect(file.tensors.size).toBe(1);
      await file.close();
    },
  );
});
