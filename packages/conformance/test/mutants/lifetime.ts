import { PocketError } from '@pocketllm/abi';
import reference from '@pocketllm/reference';
import { delegate, type Mutant, withBackend, withExecutable } from './mutant.js';

/** Life of objects, memory and cancelling. */
export const lifetimes: readonly Mutant[] = [
  {
    fault: 'a second close of the backend fails',
    caughtBy: 'contract › lifetime › a backend closes twice',
    plugin: withBackend((backend) => {
      let closed = false;
      return {
        async close() {
          if (closed) throw new PocketError('CLOSED', { what: 'backend' });
          closed = true;
          await backend.close();
        },
      };
    }),
  },
  {
    fault: 'a second release fails without a code',
    caughtBy: 'contract › lifetime › an executable is released twice',
    plugin: withExecutable((executable) => {
      let handle: { release(): Promise<void> } | undefined = executable;
      return {
        async release() {
          await handle!.release();
          handle = undefined;
        },
      };
    }),
  },
  {
    fault: 'an executable runs on after its release',
    caughtBy: 'contract › lifetime › a released executable is CLOSED',
    plugin: withExecutable(() => ({ release: async () => {} })),
  },
  {
    fault: 'a closed backend prepares programs',
    caughtBy: 'contract › lifetime › a closed backend is CLOSED, with all that it made',
    plugin: withBackend(() => ({ close: async () => {} })),
  },
  {
    fault: 'a step under a release fails as if it were the caller’s mistake',
    caughtBy: 'contract › lifetime › a release under a running step lets it end, or fails it as CLOSED',
    plugin: withExecutable((executable) => ({
      async run(...step) {
        try {
          return await executable.run(...step);
        } catch {
          throw new TypeError('the executable is null');
        }
      },
    })),
  },
  {
    fault: 'released executables keep their memory',
    caughtBy:
      'contract › memory › memory is back to the byte after each of 100 cycles of prepare, run and release',
    plugin: withExecutable(() => ({ release: async () => {} })),
  },
  {
    fault: 'memory grows by 64 bytes with each prepare',
    caughtBy:
      'contract › memory › memory is back to the byte after each of 100 cycles of prepare, run and release',
    plugin: withBackend((backend) => {
      let lost = 0;
      return {
        prepare(...wanted) {
          lost += 64;
          return backend.prepare(...wanted);
        },
        memory: () => ({ ...backend.memory(), scratch: backend.memory().scratch + lost }),
      };
    }),
  },
  {
    fault: 'memory is kept by the process and not counted',
    caughtBy: 'contract › memory › 100 cycles do not grow the process',
    plugin: withBackend((backend) => {
      const kept: Uint8Array[] = [];
      return {
        prepare(...wanted) {
          kept.push(new Uint8Array(2 ** 22).fill(1));
          return backend.prepare(...wanted);
        },
        async close() {
          kept.length = 0;
          await backend.close();
        },
      };
    }),
  },
  {
    fault: 'caches are not counted',
    caughtBy: 'contract › memory › caches are counted while they are held',
    plugin: withBackend((backend) => ({ memory: () => ({ ...backend.memory(), caches: 0 }) })),
  },
  {
    fault: 'a prepare that fails keeps what it had taken',
    caughtBy: 'contract › memory › a prepare that fails leaves nothing behind',
    plugin: withBackend((backend) => {
      let lost = 0;
      return {
        prepare: (...wanted) =>
          backend.prepare(...wanted).catch((error) => {
            lost += 1000;
            throw error;
          }),
        memory: () => ({ ...backend.memory(), weights: backend.memory().weights + lost }),
      };
    }),
  },
  {
    fault: 'a cache that does not fit fails without a code',
    caughtBy: 'contract › memory › a cache beyond all memory is OUT_OF_MEMORY, and the backend goes on',
    plugin: withBackend((backend) => ({
      createCache: (spec) =>
        backend.createCache(spec).catch((error) => {
          throw new RangeError(String(error));
        }),
    })),
  },
  {
    fault: 'steps run to their end, whatever their signal says',
    caughtBy: 'contract › cancel › a signal ends a long step between two ops, soon',
    plugin: withExecutable((executable) => ({ run: (step) => executable.run(step) })),
  },
  {
    fault: 'a signal is looked at after the step only',
    caughtBy: 'contract › cancel › a signal ends a long step between two ops, soon',
    plugin: withExecutable((executable) => ({
      async run(step, signal) {
        const result = await executable.run(step);
        if (signal?.aborted) throw new PocketError('CANCELLED', { during: 'a step' });
        return result;
      },
    })),
  },
  {
    fault: 'an executable is of no use after a step that was cancelled',
    caughtBy: 'contract › cancel › a step whose signal has fired before it does not run',
    plugin: withExecutable((executable) => {
      let broken = false;
      return {
        async run(step, signal) {
          if (broken) throw new PocketError('CANCELLED', { during: 'a step' });
          broken = signal?.aborted === true;
          return executable.run(step, signal);
        },
      };
    }),
  },
  {
    fault: 'a cancelled step takes those with it that wait behind',
    caughtBy: 'contract › cancel › a cancelled step leaves those that wait behind it alone',
    plugin: withBackend((backend) => {
      let last: Promise<unknown> = Promise.resolve();
      return {
        async prepare(...wanted) {
          const executable = await backend.prepare(...wanted);
          return delegate(executable, {
            run(...step) {
              const result = last.then(() => executable.run(...step));
              last = result;
              result.catch(() => {
                last = Promise.resolve();
              });
              return result;
            },
          });
        },
      };
    }),
  },
  {
    fault: 'prepare does not look at its signal',
    caughtBy: 'contract › cancel › prepare stops when its signal fires while weights are read',
    plugin: withBackend((backend) => ({
      prepare: (program, weights, { signal: _, ...options }) => backend.prepare(program, weights, options),
    })),
  },
  {
    fault: 'a step blocks the JavaScript thread',
    caughtBy: 'contract › cancel › a long step leaves the JavaScript thread free',
    plugin: withExecutable((executable) => ({
      run(step, signal) {
        const end = performance.now() + 600;
        while (performance.now() < end) {
          // nothing else runs
        }
        return executable.run(step, signal);
      },
    })),
  },
  {
    fault: 'probe fails where something is missing',
    caughtBy: 'plugin › probe gives devices, or says what is missing; it never fails',
    plugin: { ...reference, probe: () => Promise.reject(new Error('no driver')) },
  },
  {
    fault: 'probe finds the device the first time only',
    caughtBy: 'plugin › probe gives the same devices each time',
    plugin: {
      ...reference,
      async probe() {
        asked++;
        return asked === 1 ? reference.probe() : { devices: [], reason: 'busy' };
      },
    },
  },
  {
    fault: 'any id opens the first device',
    caughtBy: 'plugin › an id that no device has does not open, and fails with a code',
    plugin: { ...reference, open: () => reference.open('reference') },
  },
];

let asked = 0;
