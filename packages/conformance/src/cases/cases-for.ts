import type { OpDeclaration, OpName, WeightFormatName } from '@pocketllm/abi';
import { dataOf } from './call-data.js';
import { programOfCall } from './call-program.js';
import type { Case } from './case.js';
import type { CasesSpec } from './cases-spec.js';
import { storedFormats } from './lists.js';
import { variantsOf } from './variants.js';

/** The cases of an op, declared by lists of sizes and attributes, and by edges. */
export function casesFor(op: OpDeclaration, spec: CasesSpec): Case[] {
  const weighted = Object.values(op.inputs).some(({ kind }) => kind === 'weight');
  const formats = weighted ? (spec.formats ?? storedFormats) : [undefined];
  const phases = spec.phases ?? (['prefill'] as const);
  return formats.flatMap((weightFormat) =>
    phases.flatMap((phase) =>
      variantsOf(op, spec, weightFormat, phase).map((variant) => {
        const { sizes, attributes } = variant.shape;
        const format = weightFormat ?? (attributes.format as WeightFormatName | undefined);
        return {
          op: op.name as OpName,
          ...(format === undefined ? {} : { format }),
          name: variant.name,
          program: programOfCall(variant.shape),
          // A little more than is used: what stands behind the rows of a step must not matter.
          maxRows: (sizes.rows ?? 0) + 3,
          maxOutputs: (sizes.selected ?? 0) + 2,
          ...(spec.finiteOnly ? { finiteOnly: true } : {}),
          make: () => dataOf(spec, variant),
        };
      }),
    ),
  );
}
