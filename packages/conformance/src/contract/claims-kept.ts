import {
  type Backend,
  type CacheSpec,
  cacheFormats,
  checkCacheSpec,
  checkCapabilities,
  type DeviceInfo,
  type OpDeclaration,
  type OpName,
  ops,
  type Program,
  parseExtent,
  type WeightFormatName,
  weightFormats,
} from '@pocketllm/abi';
import { refusal } from '../claims.js';
import { prepareCase, runStep, weightsFrom } from '../run-steps.js';
import { describe, ensure, ensureFails } from '../verdict.js';
import type { ContractContext, ContractTest } from './contract-test.js';
import { type CallForm, dataOf, programOf } from './minimal-call.js';

interface Form extends CallForm {
  readonly program: Program;
  readonly label: string;
  /** Why the device need not run it; undefined where it has to. */
  readonly unclaimed: string | undefined;
}

/** Elements of the largest weight that is made to try a limit. */
const mostElements = 2 ** 22;

/** The ways to call an op that the kit tells apart: each format, each choice, and both sides of each limit. */
function formsOf(op: OpDeclaration, device: DeviceInfo): Form[] {
  const weighted = Object.values(op.inputs).some(({ kind }) => kind === 'weight');
  const formats = Object.keys(weightFormats) as WeightFormatName[];
  const first = device.capabilities.ops.find((row) => row.op === op.name)?.formats?.[0] ?? 'f32';
  const format = weighted ? { format: first } : {};
  const forms: (CallForm & { label: string })[] = weighted
    ? formats.map((name) => ({ op, format: name, label: name }))
    : [{ op, label: 'its plain form' }];
  for (const [name, spec] of Object.entries(op.attributes)) {
    if (spec.type !== 'choice') continue;
    for (const value of spec.of)
      forms.push({ op, ...format, attributes: { [name]: value }, label: `${name} ${value}` });
  }
  for (const row of device.capabilities.ops.filter((claimed) => claimed.op === op.name)) {
    for (const [name, { max, multipleOf }] of Object.entries(row.limits ?? {})) {
      if (!parseExtent(name).isName || name === 'rows' || name === 'selected') continue;
      for (const size of [max, max && max + 1, multipleOf, multipleOf && multipleOf + 1]) {
        if (size) forms.push({ op, ...format, sizes: { [name]: size }, label: `${name} ${size}` });
      }
    }
  }
  return forms.flatMap((form) => {
    const program = programOf(form);
    if (!program || elementsIn(program) > mostElements) return [];
    const unclaimed = refusal(() => checkCapabilities(program, device.capabilities, device.id));
    return [{ ...form, program, unclaimed }];
  });
}

const elementsIn = ({ weights, values }: Program): number =>
  [...weights, ...values].reduce(
    (sum, { dimensions }) =>
      sum + dimensions.reduce<number>((a, b) => a * (typeof b === 'number' ? b : 2), 1),
    0,
  );

async function runs(backend: Backend, form: Form): Promise<string | undefined> {
  const { weights, step } = dataOf(form);
  const cacheFormat = backend.device.capabilities.ops.find(
    (row) => row.op === form.op.name && !refusalOfCache(form.program, row.caches?.[0], backend.device),
  )?.caches?.[0];
  const cache = cacheFormat ? { cache: { pages: 1, format: cacheFormat } } : {};
  try {
    const item = { program: form.program, maxRows: 2, maxOutputs: 1, ...cache };
    const prepared = await prepareCase(backend, item, weightsFrom(weights));
    const outputs = await runStep(form.program, prepared, step);
    await prepared.close();
    const numbers = Object.values(outputs).every((values) => values.every((value) => !Number.isNaN(value)));
    return numbers ? undefined : 'gives NaN';
  } catch (error) {
    return `fails with ${describe(error)}`;
  }
}

function refusalOfCache(
  { caches }: Program,
  format: CacheSpec['format'] | undefined,
  device: DeviceInfo,
): string | undefined {
  if (!format) return 'no cache';
  return refusal(() => checkCacheSpec({ layers: caches, pages: 1, format }, device.capabilities, device.id));
}

/** A source from which nothing may be read. */
function unreadable() {
  const state = { reads: 0 };
  const read = () => {
    state.reads++;
    return Promise.reject(new Error('a weight was read'));
  };
  return { state, source: { read } };
}

function testsOf(name: OpName): ContractTest[] {
  const forms = ({ device }: ContractContext, claimed: boolean) =>
    formsOf(ops[name], device).filter(({ unclaimed }) => (unclaimed === undefined) === claimed);
  return [
    {
      name: `${name}: each form that is claimed runs`,
      skip: (context) => (forms(context, true).length > 0 ? undefined : `the device does not claim ${name}`),
      async run(context) {
        const backend = await context.open();
        const faults: string[] = [];
        for (const form of forms(context, true)) {
          const fault = await runs(backend, form);
          if (fault) faults.push(`${form.label} ${fault}`);
        }
        ensure(faults.length === 0, `claimed, but: ${faults.join('; ')}`);
      },
    },
    {
      name: `${name}: each form that is not claimed is OP_UNSUPPORTED before a weight is read`,
      applies: (context) => forms(context, false).length > 0,
      async run(context) {
        const backend = await context.open();
        for (const form of forms(context, false)) {
          const { state, source } = unreadable();
          const preparing = backend.prepare(form.program, source, { maxRows: 2, maxOutputs: 1 });
          await ensureFails(
            preparing,
            `prepare of ${name} in ${form.label}, which is not claimed,`,
            'OP_UNSUPPORTED',
          );
          ensure(state.reads === 0, `${form.label} was refused after a weight had been read`);
        }
      },
    },
  ];
}

export const claimsKept: readonly ContractTest[] = [
  ...(Object.keys(ops) as OpName[]).flatMap(testsOf),
  {
    name: 'caches are made in the formats that are claimed, and in no other',
    async run({ open, device }) {
      const backend = await open();
      for (const format of cacheFormats) {
        for (const size of [64, 80, 256]) {
          const layers = [{ name: 'layer', kvHeads: 1, headSize: size, valueSize: size }];
          const spec = { layers, pages: 1, format };
          const refused = refusal(() => checkCacheSpec(spec, device.capabilities, device.id));
          const what = `a cache in ${format} with heads of ${size}`;
          if (refused)
            await ensureFails(backend.createCache(spec), `${what}, which is not claimed,`, 'OP_UNSUPPORTED');
          else await (await backend.createCache(spec)).close();
        }
      }
    },
  },
];
