import { floats, integers, type Mutant, numbersOf, outOf, runRight, withKernel } from './mutant.js';

export const rowOps: readonly Mutant[] = [
  {
    fault: 'embedding has no last row',
    caughtBy: 'cases › embedding › f32 › the first and the last row are there',
    plugin: withKernel('embedding', (call) => {
      const last = numbersOf(call).vocabulary! - 1;
      const ids = integers(call, 'ids').map((id) => (last === 0 ? id : id % last));
      runRight('embedding', { ...call, inputs: { ...call.inputs, ids } });
    }),
  },
  {
    fault: 'select_rows takes the first rows, whatever was selected',
    caughtBy: 'cases › select_rows › rows come in the order of the selection',
    plugin: withKernel('select_rows', (call) => {
      const selection = integers(call, 'selection').map((_, i) => i);
      runRight('select_rows', { ...call, inputs: { ...call.inputs, selection } });
    }),
  },
  {
    fault: 'pool divides the mean by all rows of the step',
    caughtBy: 'cases › pool › mean: values of 6e4 do not overflow',
    plugin: withKernel('pool', (call) => {
      runRight('pool', call);
      const { selected, rows, cols } = numbersOf(call);
      if (call.attributes.function !== 'mean') return;
      const ranges = integers(call, 'ranges');
      for (let i = 0; i < selected! * cols!; i++) {
        const range = Math.floor(i / cols!);
        outOf(call)[i]! *= (ranges[2 * range + 1]! - ranges[2 * range]!) / rows!;
      }
    }),
  },
  {
    fault: 'pool takes the end of a range as its last row',
    caughtBy: 'cases › pool › last: a row of NaN does not reach other ranges',
    plugin: withKernel('pool', (call) => {
      const last = numbersOf(call).rows!;
      const ranges = integers(call, 'ranges').map((bound, i) =>
        i % 2 === 1 ? Math.min(bound + 1, last) : bound,
      );
      runRight('pool', { ...call, inputs: { ...call.inputs, ranges } });
    }),
  },
  {
    fault: 'mask_logits counts bits from the high end of a word',
    caughtBy: 'cases › mask_logits › the sign bit of a word is a bit like the others',
    plugin: withKernel('mask_logits', (call) => {
      const mask = integers(call, 'mask').map((word) => {
        let reversed = 0;
        for (let bit = 0; bit < 32; bit++) reversed |= ((word >>> bit) & 1) << (31 - bit);
        return reversed;
      });
      runRight('mask_logits', { ...call, inputs: { ...call.inputs, mask } });
    }),
  },
  {
    fault: 'mask_logits adds a large negative number, so NaN stays NaN',
    caughtBy: 'cases › mask_logits › what is forbidden is -infinity, whatever it was',
    plugin: withKernel('mask_logits', (call) => {
      runRight('mask_logits', call);
      const out = outOf(call);
      floats(call, 'x').forEach((value, i) => {
        if (out[i] === Number.NEGATIVE_INFINITY) out[i] = value - 1e30;
      });
    }),
  },
  {
    fault: 'top_k takes the last of equal elements first',
    caughtBy: 'cases › top_k › elements that are all equal come in their order',
    plugin: withKernel('top_k', (call) => {
      const { rows, cols, k } = numbersOf(call);
      const reversed = new Float32Array(rows! * cols!);
      for (let r = 0; r < rows!; r++) {
        reversed.set(
          floats(call, 'x')
            .slice(r * cols!, (r + 1) * cols!)
            .reverse(),
          r * cols!,
        );
      }
      runRight('top_k', { ...call, inputs: { x: reversed } });
      const ids = call.outputs.ids as Int32Array;
      for (let i = 0; i < rows! * k!; i++) ids[i] = cols! - 1 - ids[i]!;
    }),
  },
  {
    fault: 'top_k takes NaN for the largest',
    caughtBy: 'cases › top_k › NaN is never among the largest while numbers are left',
    plugin: withKernel('top_k', (call) => {
      const x = floats(call, 'x').map((value) => (Number.isNaN(value) ? Number.POSITIVE_INFINITY : value));
      runRight('top_k', { ...call, inputs: { x } });
    }),
  },
  {
    fault: 'route_experts does not normalize the weights',
    caughtBy: 'cases › route_experts › sum: of equal experts the smaller index comes first',
    plugin: withKernel('route_experts', (call) =>
      runRight('route_experts', { ...call, attributes: { ...call.attributes, normalize: 'none' } }),
    ),
  },
  {
    fault: 'route_experts forgets the scale',
    caughtBy: 'cases › route_experts › rows 3, experts 8, slots 2, normalize none, scale 2.5',
    plugin: withKernel('route_experts', (call) =>
      runRight('route_experts', { ...call, attributes: { ...call.attributes, scale: 1 } }),
    ),
  },
  {
    fault: 'patches put columns before rows',
    caughtBy: 'cases › patches › height 28, width 14, channels 3, size 14',
    plugin: withKernel('patches', (call) => {
      runRight('patches', call);
      const { size } = numbersOf(call);
      const out = outOf(call);
      const right = out.slice();
      out.forEach((_, i) => {
        const [x, y] = [i % size!, Math.floor(i / size!) % size!];
        out[i] = right[i - x - y * size! + x * size! + y]!;
      });
    }),
  },
];
