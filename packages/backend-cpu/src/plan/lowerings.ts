import { type OpName, PocketError, rowBytes, type WeightFormatName, weightFormats } from '@pocketllm/abi';
import { type LoweringContext, plainFormat } from './lower.js';
import { quantizedRowBytes, splitRowBytes } from './quantized-row.js';

type Lowering = (context: LoweringContext) => void;

/** Elements that a thread takes at once: enough to be worth taking, few enough to share out. */
const portionElements = 8192;

/** The same in units of so many elements. */
const portionOf = (elements: number) => Math.max(1, Math.floor(portionElements / elements));

/** Weights of a row that encode takes as one unit: kEncodeUnit of native/kernels/encode/sizes.h. */
const encodeUnit = 512;

const range = { kind: 'range', format: plainFormat } as const;

/** An op that computes each element by itself. */
const elements =
  (op: string, attributes: (context: LoweringContext) => readonly number[] = () => []): Lowering =>
  (context) =>
    context.emit({
      ...range,
      op,
      attributes: attributes(context),
      units: { leading: context.sizes.rows!, each: context.fixed('cols'), portion: portionElements },
    });

/** How each op of the ABI is computed: the sizes and attributes that its kernel's header lists. */
export const lowerings: Readonly<Record<OpName, Lowering>> = {
  embedding(context) {
    const { format } = context.weight('table');
    const cols = context.fixed('cols');
    context.emit({
      ...range,
      op: 'embedding',
      format: weightFormats[format].ggufType,
      sizes: [context.fixed('vocabulary'), cols, rowBytes(weightFormats[format], cols)!],
      units: { leading: context.sizes.rows!, each: 1, portion: portionOf(cols) },
    });
  },

  rms_norm(context) {
    const groups = context.number('groups');
    context.emit({
      ...range,
      op: 'rms_norm',
      sizes: [context.fixed('cols') / groups],
      attributes: [context.number('epsilon')],
      units: {
        leading: context.sizes.rows!,
        each: groups,
        portion: portionOf(context.fixed('cols') / groups),
      },
    });
  },

  layer_norm(context) {
    context.emit({
      ...range,
      op: 'layer_norm',
      sizes: [context.fixed('cols')],
      attributes: [context.number('epsilon')],
      units: { leading: context.sizes.rows!, each: 1, portion: portionOf(context.fixed('cols')) },
    });
  },

  matmul(context) {
    const { bias, weightScale } = context.call.inputs;
    const { format, rows, sizes } = matmulOperands(context, 1);
    const inputs = [rows, context.call.inputs.weight, bias, weightScale];
    context.emit({ kind: 'matmul', op: 'matmul', format, inputs, sizes });
  },

  matmul_experts(context) {
    const { weight, ids, routing } = context.call.inputs;
    const { format, rows, sizes } = matmulOperands(context, context.number('inputGroups'));
    context.emit({
      kind: 'matmulExperts',
      op: 'matmul',
      format,
      inputs: [rows, weight, ids, routing],
      sizes: [...sizes, context.fixed('slots')],
      attributes: [context.fixed('experts'), context.number('inputGroups'), context.number('outputGroups')],
    });
  },

  rope(context) {
    const { x, positions, frequencyFactors } = context.call.inputs;
    const dimensions = context.number('dimensions');
    const numbers = ['base', 'scale', 'magnitude'].map(context.number);
    const key = [positions, frequencyFactors, dimensions, ...numbers].join(' ');
    const rows = context.sizes.rows!;
    const angles = context.share(
      { name: `rope angles ${key}`, dimensions: [rows, dimensions], elementBytes: 4 },
      {
        ...range,
        op: 'rope_angles',
        inputs: [positions, frequencyFactors],
        sizes: [dimensions],
        attributes: numbers,
        units: { leading: rows, each: 1, portion: portionOf(16 * dimensions) },
      },
    );
    context.emit({
      ...range,
      op: 'rope',
      inputs: [x, angles],
      sizes: [context.number('heads'), context.fixed('headSize'), dimensions],
      attributes: [context.choice('pairing')],
      units: {
        leading: rows,
        each: 1,
        portion: portionOf(context.number('heads') * context.fixed('headSize')),
      },
    });
  },

  attention(context) {
    context.emit({
      kind: 'attention',
      op: 'attention',
      format: plainFormat,
      ...attentionNumbers(context, context.number('window'), context.number('softcap')),
      cacheLayer: context.program.caches.findIndex(({ name }) => name === context.call.cache),
    });
  },

  attention_full(context) {
    context.emit({
      kind: 'attentionFull',
      op: 'attention',
      format: plainFormat,
      ...attentionNumbers(context, 0, 0),
    });
  },

  activation: elements('activation', (context) => [context.choice('function')]),
  gated_activation: elements('gated_activation', (context) => [context.choice('function')]),
  add: elements('add'),
  multiply: elements('multiply'),
  scale: elements('scale', (context) => [context.number('factor')]),
  softcap: elements('softcap', (context) => [context.number('cap')]),

  select_rows(context) {
    context.emit({
      ...range,
      op: 'select_rows',
      sizes: [context.sizes.rows!, context.fixed('cols')],
      units: { leading: context.sizes.selected!, each: 1, portion: portionOf(context.fixed('cols')) },
    });
  },

  pool(context) {
    context.emit({
      ...range,
      op: 'pool',
      sizes: [context.sizes.rows!, context.fixed('cols')],
      attributes: [context.choice('function')],
      units: { leading: context.sizes.selected!, each: 1, portion: 1 },
    });
  },

  mask_logits(context) {
    context.emit({
      ...range,
      op: 'mask_logits',
      sizes: [context.fixed('cols')],
      units: { leading: context.sizes.rows!, each: 1, portion: 1 },
    });
  },

  top_k(context) {
    context.emit({
      ...range,
      op: 'top_k',
      sizes: [context.fixed('cols'), context.number('k')],
      units: { leading: context.sizes.rows!, each: 1, portion: 1 },
    });
  },

  route_experts(context) {
    context.emit({
      ...range,
      op: 'route_experts',
      sizes: [context.fixed('experts'), context.number('slots')],
      attributes: [context.choice('normalize'), context.number('scale')],
      units: { leading: context.sizes.rows!, each: 1, portion: portionOf(16 * context.fixed('experts')) },
    });
  },

  patches(context) {
    const size = context.number('size');
    const patches = (context.fixed('height') / size) * (context.fixed('width') / size);
    context.emit({
      ...range,
      op: 'patches',
      sizes: [context.fixed('width'), context.fixed('channels'), size],
      units: { leading: patches, each: 1, portion: portionOf(context.fixed('channels') * size * size) },
    });
  },

  encode(context) {
    const format = context.call.attributes.format as WeightFormatName;
    const { importance } = context.call.inputs;
    const declared = weightFormats[format];
    const cols = context.fixed('cols');
    if (importance === undefined && declared.importance === 'required') {
      throw new PocketError('REQUEST_INVALID', {
        field: 'importance',
        expected: `a value for each of ${cols} columns, which ${format} cannot do without`,
        found: 'none',
      });
    }
    const relative =
      importance === undefined
        ? undefined
        : context.share(
            { name: `relative ${importance}`, dimensions: [cols], elementBytes: 4 },
            {
              ...range,
              op: 'relative_importance',
              inputs: [importance],
              sizes: [cols],
              units: { leading: 1, each: 1, portion: 1 },
            },
          );
    context.emit({
      ...range,
      op: 'encode',
      format: declared.ggufType,
      inputs: [context.call.inputs.x, relative],
      sizes: [cols, rowBytes(declared, cols)!],
      units: {
        leading: context.sizes.rows!,
        each: Math.ceil(cols / encodeUnit),
        // A search takes a microsecond a weight at worst: a portion ends soon after a signal.
        portion: declared.block.weights === 1 ? portionOf(encodeUnit) : 4,
      },
    });
  },
};

const roundings = {
  blocks: { name: 'rounded', format: plainFormat, rowBytes: quantizedRowBytes },
  plain: { name: 'split', format: weightFormats.bf16.ggufType, rowBytes: splitRowBytes },
} as const;

/** How activations are stored for the kernels of a weight's format; undefined where they stay as they are. */
function roundingFor({ options }: LoweringContext, format: WeightFormatName) {
  if (weightFormats[format].block.weights > 1)
    return options.quantizesActivations ? roundings.blocks : undefined;
  return options.splitsActivations && format !== 'f32' ? roundings.plain : undefined;
}

/** The activations as the kernels of the weight's format read them, and the sizes of MatmulSizes. */
function matmulOperands(context: LoweringContext, groups: number) {
  const { format } = context.weight('weight');
  const rows = context.sizes.rows!;
  const cols = context.fixed('inFeatures');
  const declared = weightFormats[format];
  let x = context.call.inputs.x!;
  let xRowBytes = 4 * cols;
  const rounding = roundingFor(context, format);
  if (rounding !== undefined) {
    xRowBytes = rounding.rowBytes(cols);
    x = context.share(
      { name: `${rounding.name} ${cols} ${x}`, dimensions: [rows, groups, xRowBytes], elementBytes: 1 },
      {
        ...range,
        op: 'quantize_rows',
        format: rounding.format,
        inputs: [x],
        sizes: [cols, xRowBytes, groups],
        units: { leading: rows, each: groups, portion: portionOf(cols) },
      },
    );
  }
  const sizes = [rows, cols, context.fixed('outFeatures'), rowBytes(declared, cols)!, xRowBytes];
  return { format: declared.ggufType, rows: x, sizes };
}

/** The sizes and attributes of AttentionSizes. */
const attentionNumbers = (context: LoweringContext, window: number, softcap: number) => ({
  sizes: [
    context.sizes.rows!,
    context.number('heads'),
    context.number('kvHeads'),
    context.fixed('headSize'),
    context.fixed('valueSize'),
    window,
  ],
  attributes: [context.number('scale'), softcap],
});
