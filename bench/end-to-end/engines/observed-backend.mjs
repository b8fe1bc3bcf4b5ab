// @ts-check

/** @typedef {import('@pocketllm/abi').BackendPlugin} BackendPlugin */

/**
 * The same plugin, with its steps counted: how many sequences the largest held, and the time that all took
 * together, in milliseconds.
 *
 * @param {BackendPlugin} plugin
 */
export function observe(plugin) {
  const steps = {
    largest: 0,
    ms: 0,
    restart() {
      steps.largest = 0;
      steps.ms = 0;
    },
  };
  const observed = replaced(plugin, {
    open: async (deviceId, options) => {
      const backend = await plugin.open(deviceId, options);
      return replaced(backend, {
        prepare: async (program, weights, prepareOptions) => {
          const executable = await backend.prepare(program, weights, prepareOptions);
          return replaced(executable, {
            run: async (step, signal) => {
              steps.largest = Math.max(steps.largest, step.sequences.length);
              const started = performance.now();
              try {
                return await executable.run(step, signal);
              } finally {
                steps.ms += performance.now() - started;
              }
            },
          });
        },
      });
    },
  });
  return { plugin: observed, steps };
}

/**
 * An object with some of its methods replaced. Others run on the object itself, which may have private fields.
 *
 * @template {object} T
 * @param {T} object
 * @param {Partial<T>} methods
 * @returns {T}
 */
function replaced(object, methods) {
  // Not a proxy of the object itself, whose properties may be frozen.
  return new Proxy(/** @type {T} */ ({}), {
    get(_, key) {
      if (Object.hasOwn(methods, key)) return Reflect.get(methods, key);
      const value = Reflect.get(object, key);
      return typeof value === 'function' ? value.bind(object) : value;
    },
  });
}
