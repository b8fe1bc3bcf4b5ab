import { type Capabilities, type CapabilityRow, checkCapabilities } from '@pocketllm/abi';
import { createReferencePlugin } from '@pocketllm/reference';
import file from '@pocketllm/reference/pocketllm.backend.json' with { type: 'json' };
import { delegate, type Mutant, withBackend } from './mutant.js';

const right = file as Capabilities;

/** The reference with other claims, which its code follows or not. */
function claiming(ops: readonly CapabilityRow[], codeFollows: boolean) {
  const capabilities = { ...right, ops };
  const plugin = createReferencePlugin({ capabilities: codeFollows ? capabilities : right });
  if (codeFollows) return plugin;
  const renamed = <T extends { capabilities: Capabilities }>(device: T) => ({ ...device, capabilities });
  return {
    ...plugin,
    probe: async () => ({ devices: (await plugin.probe()).devices.map(renamed) }),
    async open(id: string) {
      const backend = await plugin.open(id);
      return delegate(backend, { device: renamed(backend.device) });
    },
  };
}

const without = (op: string): CapabilityRow[] => right.ops.filter((row) => row.op !== op);

export const claims: readonly Mutant[] = [
  {
    fault: 'a format is claimed that the code refuses',
    caughtBy: 'contract › claims › matmul: each form that is claimed runs',
    plugin: claiming([...without('matmul'), { op: 'matmul', formats: ['f32', 'q8_1'] }], false),
  },
  {
    fault: 'the code runs an op that is not claimed',
    caughtBy:
      'contract › claims › softcap: each form that is not claimed is OP_UNSUPPORTED before a weight is read',
    plugin: claiming(without('softcap'), false),
  },
  {
    fault: 'the code runs larger heads than are claimed',
    caughtBy:
      'contract › claims › attention: each form that is not claimed is OP_UNSUPPORTED before a weight is read',
    plugin: claiming(
      [...without('attention'), { op: 'attention', caches: ['f16'], limits: { headSize: { max: 128 } } }],
      false,
    ),
  },
  {
    fault: 'a format is claimed that the file does not list',
    caughtBy: 'contract › capabilities › the device claims nothing that is not in the file',
    plugin: claiming(right.ops, true),
    file: { ...right, ops: [...without('embedding'), { op: 'embedding', formats: ['f32'] }] },
  },
  {
    fault: 'the file claims an op that no device has',
    caughtBy: 'plugin › the capabilities file claims nothing that no device has',
    plugin: claiming(without('top_k'), true),
    file: right,
  },
  {
    fault: 'the file claims an equality that the device does not',
    caughtBy: 'contract › capabilities › the device keeps every equality that the file claims',
    plugin: createReferencePlugin({ capabilities: { ...right, bitExact: ['batch'] } }),
    file: right,
  },
  {
    fault: 'the file is not valid',
    caughtBy: 'plugin › the capabilities file is valid',
    plugin: createReferencePlugin(),
    file: { ...right, ops: [{ op: 'matmul' }] },
  },
  {
    fault: 'weights are read before a program is refused',
    caughtBy:
      'contract › claims › embedding: each form that is not claimed is OP_UNSUPPORTED before a weight is read',
    plugin: withBackend((backend) => ({
      async prepare(program, weights, options) {
        await weights.read(program.weights[0]?.name ?? '').catch(() => undefined);
        return backend.prepare(program, weights, options);
      },
    })),
  },
  {
    fault: 'what is not claimed is refused without a code',
    caughtBy:
      'contract › claims › matmul: each form that is not claimed is OP_UNSUPPORTED before a weight is read',
    plugin: withBackend((backend) => ({
      async prepare(program, weights, options) {
        try {
          checkCapabilities(program, backend.device.capabilities, backend.device.id);
        } catch {
          throw new TypeError('no kernel');
        }
        return backend.prepare(program, weights, options);
      },
    })),
  },
  {
    fault: 'caches are made in formats that are not claimed',
    caughtBy: 'contract › claims › caches are made in the formats that are claimed, and in no other',
    plugin: claiming([...without('attention'), { op: 'attention', caches: ['f16'] }], false),
  },
];
