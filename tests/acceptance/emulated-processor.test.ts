import {
  type BackendPlugin,
  recordProgram,
  type Step,
  type WeightFormatName,
  weightFormats,
} from '@pocketllm/abi';
import cpu, { loadAddon } from '@pocketllm/backend-cpu';
import { describe, expect, it } from 'vitest';
import { blockMaker } from '../../bench/model/random-blocks.mjs';
import { randomBytes } from '../../bench/model/random-bytes.mjs';
import {
  emulated,
  emulatedPlugin,
  missingEmulated,
} from '../../packages/backend-cpu/test/emulated/plugin.js';
import { followRecorded } from '../support/follow-recorded.js';
import { recordedModels } from '../support/recorded-tokens.js';

const { addon } = loadAddon();
const here = (isa: string) => addon?.usableIsas.includes(isa) ?? false;
const emulates = (isa: string) => emulated?.usableIsas.includes(isa) ?? false;

const inFeatures = 768;
const outFeatures = 50;
const rows = 70;

const formats: readonly WeightFormatName[] = [
  'f16',
  'bf16',
  'q8_0',
  'q4_k',
  'q6_k',
  'q5_1',
  'mxfp4',
  'iq2_xs',
  'tq2_0',
];

/** Numbers of many sizes; some are zeros, below the normal range, and beyond all. */
function hardNumbers(count: number): Float32Array {
  const special = [0, -0, 1e-40, -3e-39, 2 ** -126, 3e38, 1, -1];
  return Float32Array.from({ length: count }, (_, i) =>
    i % 97 === 0 ? special[(i / 97) % special.length]! : Math.sin(i) * 10 ** ((i % 13) - 6),
  );
}

/** A matrix as an encoder could have made it. */
function matrixOf(format: WeightFormatName): Uint8Array {
  const { block } = weightFormats[format];
  const blocks = (outFeatures * inFeatures) / block.weights;
  const random = randomBytes(1, format);
  if (format !== 'mxfp4') return new Uint8Array(blockMaker(format, 0.5)(random, blocks));
  // Its scales are powers of two: a byte each.
  const bytes = new Uint8Array(random(blocks * block.bytes));
  for (let at = 0; at < bytes.length; at += block.bytes) bytes[at] = 122 + (bytes[at]! % 5);
  return bytes;
}

/** What a matmul of one prompt or answer gives. */
async function multiply(
  plugin: BackendPlugin,
  id: string,
  format: WeightFormatName,
  phase: 'prefill' | 'decode',
): Promise<Int32Array> {
  const program = recordProgram((p) => {
    const x = p.input('x', 'f32', ['rows', inFeatures]);
    p.output('out', p.matmul(x, p.weight('weight', format, [outFeatures, inFeatures])));
  });
  const bytes = matrixOf(format);
  const backend = await plugin.open(id);
  const executable = await backend.prepare(
    program,
    { read: async (_name, offset = 0, length = bytes.length) => bytes.slice(offset, offset + length) },
    { maxRows: rows, maxOutputs: 0 },
  );
  const step: Step = {
    rows,
    outputs: 0,
    sequences: [{ rows, start: 0, pages: [], phase }],
    inputs: { x: hardNumbers(rows * inFeatures) },
  };
  const { out } = (await executable.run(step)).outputs as { out: Float32Array };
  await backend.close();
  // The bits, but for those of what is no number.
  return new Int32Array(out.map((value) => (Number.isNaN(value) ? Number.NaN : value)).buffer);
}

type Device = readonly [plugin: BackendPlugin, id: string];

async function expectSameBits(format: WeightFormatName, phase: 'prefill' | 'decode', a: Device, b: Device) {
  expect(await multiply(...a, format, phase)).toEqual(await multiply(...b, format, phase));
}

const inBlocks = formats.filter((format) => weightFormats[format].block.weights > 1);

// Integer sums are exact, and what is added to them has one order on all panels.
describe.skipIf(!here('avx512vnni'))('panels (needs AVX-512 VNNI)', () => {
  it.each(inBlocks)('%s: AVX2 has the bits of AVX-512 VNNI', async (format) => {
    await expectSameBits(format, 'prefill', [cpu, 'avx2'], [cpu, 'avx512vnni']);
    await expectSameBits(format, 'decode', [cpu, 'avx2'], [cpu, 'avx512vnni']);
  });
});

describe.skipIf(!emulates('avxvnni') || !here('avx2'))(
  `AVX-VNNI, emulated (${missingEmulated ?? 'needs AVX2'})`,
  () => {
    it.each(inBlocks)('%s: has the bits of AVX2', async (format) => {
      await expectSameBits(format, 'prefill', [emulatedPlugin, 'avxvnni'], [cpu, 'avx2']);
      await expectSameBits(format, 'decode', [emulatedPlugin, 'avxvnni'], [cpu, 'avx2']);
    });
  },
);

describe.skipIf(!emulates('amx'))(`AMX, emulated (${missingEmulated ?? 'needs AVX-512 VNNI'})`, () => {
  it.each(inBlocks)('%s: answers have the bits of AVX-512 VNNI', async (format) => {
    await expectSameBits(format, 'decode', [emulatedPlugin, 'amx'], [cpu, 'avx512vnni']);
  });
});

// What the emulation is worth shows where there is the real thing.
describe.each(['amx', 'avxvnni'])('the processor itself', (isa) => {
  const missing = !here(isa) || !emulates(isa);
  it.skipIf(missing).each(formats)(
    `${isa}, %s: has the bits of its emulation (needs ${isa})`,
    async (format) => {
      await expectSameBits(format, 'prefill', [emulatedPlugin, isa], [cpu, isa]);
      await expectSameBits(format, 'decode', [emulatedPlugin, isa], [cpu, isa]);
    },
  );
});

const tiny = recordedModels('fixtures', 'expected.json');
const runs = ['amx', 'avxvnni'].flatMap((isa) => tiny.map((model) => ({ isa, model, name: model.name })));

describe.skipIf(runs.length === 0 || missingEmulated !== undefined)(
  `recorded tokens (${missingEmulated ?? 'needs ../shared/fixtures/expected.json'})`,
  () => {
    it.each(runs.filter(({ isa }) => emulates(isa)))(
      '$isa, emulated, $name: tokens follow llama.cpp, logits are not farther from the exact ones',
      async ({ isa, model }) => {
        const device = { plugin: emulatedPlugin, id: isa };
        const { ours, llamaCpp } = await followRecorded(
          device,
          false,
          model,
          1408,
          ({ max_noise }) => 5 * max_noise,
        );
        process.stdout.write(
          `${isa} ${model.name}: ${ours.toExponential(1)}, llama.cpp ${llamaCpp.toExponential(1)}\n`,
        );
      },
      120_000,
    );
  },
);
