import { PocketError, type Step, type StepResult } from '@pocketllm/abi';
import { delegate, type Mutant, runRight, withBackend, withExecutable, withKernel } from './mutant.js';

/** Steps, caches and weight sources. */
export const stepFaults: readonly Mutant[] = [
  {
    fault: 'results are overwritten by the next step',
    caughtBy: 'contract › steps › results stay as they are when further steps run',
    plugin: withExecutable((executable) => {
      let shared: StepResult['outputs'] = {};
      return {
        async run(...step) {
          const { outputs } = await executable.run(...step);
          for (const [name, values] of Object.entries(outputs)) {
            const room = shared[name];
            if (room) room.set(values.subarray(0, room.length));
          }
          shared = { ...outputs, ...shared };
          return { outputs };
        },
      };
    }),
  },
  {
    fault: 'all outputs are computed, whatever is wanted',
    caughtBy: 'contract › steps › a step gives what it is asked for, and no more',
    plugin: withExecutable((executable) => ({
      run: ({ wanted: _, ...step }, signal) => executable.run(step, signal),
    })),
  },
  {
    fault: 'a step that wants nothing does nothing',
    caughtBy: 'contract › steps › a step that wants nothing writes the cache',
    plugin: withExecutable((executable) => ({
      run: async (step, signal) =>
        step.wanted?.length === 0 ? { outputs: {} } : executable.run(step, signal),
    })),
  },
  {
    fault: 'steps overtake those before them',
    caughtBy: 'contract › steps › steps that are not waited for run in the order of their calls',
    plugin: withExecutable((executable) => {
      const waiting: (() => void)[] = [];
      return {
        async run(...step) {
          // All that were called in one go run last come, first served.
          await new Promise<void>((resolve) => {
            waiting.push(resolve);
            setTimeout(() => waiting.pop()?.(), 1);
          });
          return executable.run(...step);
        },
      };
    }),
  },
  {
    fault: 'steps may have any number of rows',
    caughtBy: 'contract › steps › a step of more rows than were prepared for is STEP_INVALID',
    plugin: withBackend((backend) => ({
      prepare: (program, weights, options) =>
        backend.prepare(program, weights, { ...options, maxRows: 4096 }),
    })),
  },
  {
    fault: 'steps may have any number of outputs',
    caughtBy: 'contract › steps › a step of more outputs than were prepared for is STEP_INVALID',
    plugin: withBackend((backend) => ({
      prepare: (program, weights, options) =>
        backend.prepare(program, weights, { ...options, maxOutputs: 4096 }),
    })),
  },
  {
    fault: 'a row fewer runs than was prepared for',
    caughtBy: 'contract › steps › a step of as many rows as were prepared for runs',
    plugin: withExecutable((executable) => {
      let most = 0;
      return {
        async run(step: Step, signal) {
          most = Math.max(most, step.rows);
          if (step.rows >= 8)
            throw new PocketError('STEP_INVALID', { field: 'rows', expected: '7', found: '8' });
          return executable.run(step, signal);
        },
      };
    }),
  },
  {
    fault: 'all caches of a backend are one',
    caughtBy: 'contract › steps › two executables and two caches on one backend do not mix',
    plugin: withBackend((backend) => {
      const made = new Map<string, ReturnType<typeof backend.createCache>>();
      return {
        createCache(spec) {
          const key = JSON.stringify(spec);
          const cache = made.get(key) ?? backend.createCache(spec);
          made.set(key, cache);
          return cache;
        },
      };
    }),
  },
  {
    fault: 'any object passes for a cache',
    caughtBy: 'contract › steps › a cache of another backend is STEP_INVALID',
    plugin: withBackend((backend) => {
      let own: Step['cache'];
      return {
        async createCache(spec) {
          own = await backend.createCache(spec);
          return own;
        },
        async prepare(...wanted) {
          const executable = await backend.prepare(...wanted);
          return delegate(executable, {
            run: (step, signal) => executable.run(own ? { ...step, cache: own } : step, signal),
          });
        },
      };
    }),
  },
  {
    fault: 'copyPage copies nothing',
    caughtBy: 'contract › cache pages › a fork goes on from a copy of the page that is not full',
    plugin: withBackend((backend) => ({
      createCache: async (spec) => delegate(await backend.createCache(spec), { copyPage: async () => {} }),
    })),
  },
  {
    fault: 'readPage gives the keys without the values',
    caughtBy: 'contract › cache pages › pages are read and written into another cache',
    plugin: withBackend((backend) => ({
      async createCache(spec) {
        const cache = await backend.createCache(spec);
        return delegate(cache, {
          async readPage(page) {
            const bytes = await cache.readPage(page);
            return bytes.fill(0, bytes.length / 2);
          },
        });
      },
    })),
  },
  {
    fault: 'writePage takes bytes of any length',
    caughtBy: 'contract › cache pages › pages beyond the cache and bytes of another length are refused',
    plugin: withBackend((backend) => ({
      async createCache(spec) {
        const cache = await backend.createCache(spec);
        return delegate(cache, {
          async writePage(page, bytes) {
            const { length } = await cache.readPage(page);
            const whole = new Uint8Array(length);
            whole.set(bytes.subarray(0, length));
            await cache.writePage(page, whole);
          },
        });
      },
    })),
  },
  {
    fault: 'an input that is an output is handed back itself',
    caughtBy: 'contract › programs › an input may be an output too, and comes back as it was',
    plugin: withExecutable((executable) => ({
      async run(step, signal) {
        const { outputs } = await executable.run(step, signal);
        const given = Object.values(step.inputs)[0]!;
        return { outputs: 'the input' in outputs ? { ...outputs, 'the input': given } : outputs };
      },
    })),
  },
  {
    fault: 'softcap works in place, whoever needs its operand later',
    caughtBy: 'contract › programs › random programs keep every value as long as it is needed',
    plugin: withKernel('softcap', (call) => {
      runRight('softcap', call);
      (call.inputs.x as Float32Array).set(call.outputs.out as Float32Array);
    }),
  },
  {
    fault: 'reads go one byte beyond a weight',
    caughtBy: 'contract › weights › weights are read within their bytes',
    plugin: withBackend((backend) => ({
      prepare: (program, { read }, options) =>
        backend.prepare(
          program,
          {
            async read(name, offset = 0, length = 0) {
              return (await read(name, offset, length + 1)).subarray(0, length);
            },
          },
          options,
        ),
    })),
  },
  {
    fault: 'bytes that are missing count as zeros',
    caughtBy: 'contract › weights › a source that gives too few bytes makes prepare fail with a code',
    plugin: withBackend((backend) => ({
      prepare: (program, { read }, options) =>
        backend.prepare(
          program,
          {
            async read(name, offset = 0, length = 0) {
              const bytes = new Uint8Array(length);
              bytes.set(await read(name, offset, length));
              return bytes;
            },
          },
          options,
        ),
    })),
  },
  {
    fault: 'progress starts over with each weight',
    caughtBy: 'contract › weights › progress grows to its total and no further',
    plugin: withBackend((backend) => ({
      prepare: (program, weights, { onProgress, ...options }) =>
        backend.prepare(program, weights, {
          ...options,
          onProgress: (done, total) => onProgress?.(done % 2 ** 21, total),
        }),
    })),
  },
];
