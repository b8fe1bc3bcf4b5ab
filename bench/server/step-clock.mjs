// @ts-check

/**
 * A plugin whose steps leave the times at which they ended, so that an answer is timed where it is computed, whoever
 * reads it. Milliseconds.
 * @param {import('@pocketllm/abi').BackendPlugin} plugin
 */
export function stepClock(plugin) {
  /** @type {number[]} */
  const ends = [];
  return {
    ends,
    /** @type {import('@pocketllm/abi').BackendPlugin} */
    plugin: {
      ...plugin,
      async open(deviceId, options) {
        const backend = await plugin.open(deviceId, options);
        const prepare = backend.prepare.bind(backend);
        backend.prepare = async (...parts) => {
          const executable = await prepare(...parts);
          const run = executable.run.bind(executable);
          executable.run = async (...step) => {
            const result = await run(...step);
            ends.push(performance.now());
            return result;
          };
          return executable;
        };
        return backend;
      },
    },
  };
}
