import type { Backend, BackendPlugin, DeviceInfo } from '@pocketllm/abi';
import { beforeEach, describe, expect, it } from 'vitest';
import { openBackend, processBackend } from './index.js';

const device = (id: string): DeviceInfo => ({
  id,
  name: `device ${id}`,
  class: 'cpu',
  capabilities: { abi: 1, name: 'test', deviceClasses: ['cpu'], ops: [], bitExact: [] },
});

function pluginOf(name: string, ids: readonly string[], more: Partial<BackendPlugin> = {}): BackendPlugin {
  return {
    abi: 1,
    name,
    probe: async () => ({ devices: ids.map(device), reason: 'needs AVX2' }),
    open: async (id) =>
      ({
        device: device(id),
        prepare: async () => undefined,
        createCache: async () => undefined,
        memory: () => ({ weights: 0, caches: 0, scratch: 0 }),
        close: async () => {},
      }) as unknown as Backend,
    ...more,
  };
}

const probing = (found: object) =>
  pluginOf('x', [], { probe: async () => ({ devices: [found as DeviceInfo] }) });

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    ({ code, details }) => ({ code, ...details }),
  );

// Every test starts as a process that has opened nothing.
beforeEach(() => {
  Reflect.deleteProperty(globalThis, Symbol.for('pocketllm.backend'));
});

describe('openBackend', () => {
  it('opens the first device where none is named, and passes the options on', async () => {
    let seen: unknown;
    const plugin = pluginOf('fast', ['a', 'b']);
    const open: BackendPlugin['open'] = (id, options) => {
      seen = options;
      return plugin.open(id, options);
    };
    const backend = await openBackend({ ...plugin, open }, { threads: 3 });
    expect(backend.device.id).toBe('a');
    expect(seen).toEqual({ threads: 3 });
    expect(processBackend()).toEqual({ backend: 'fast', device: 'a' });
  });

  it('opens the device that is named', async () => {
    expect((await openBackend(pluginOf('fast', ['a', 'b']), { deviceId: 'b' })).device.id).toBe('b');
  });

  it('gives the reason of the probe where there is no device', async () => {
    expect(await failure(openBackend(pluginOf('fast', [])))).toEqual({
      code: 'BACKEND_UNAVAILABLE',
      backend: 'fast',
      reason: 'needs AVX2',
    });
  });

  it('names the devices there are where the wanted one is missing', async () => {
    expect(await failure(openBackend(pluginOf('fast', ['a', 'b']), { deviceId: 'c' }))).toEqual({
      code: 'BACKEND_UNAVAILABLE',
      backend: 'fast',
      reason: 'no device c; it has a, b (needs AVX2)',
    });
  });

  it('refuses a second backend and a second device, even after the first is closed', async () => {
    const first = await openBackend(pluginOf('fast', ['a', 'b']));
    const open = 'fast on device a';
    for (const closed of [false, true]) {
      if (closed) await first.close();
      expect(await failure(openBackend(pluginOf('other', ['a'])))).toEqual({
        code: 'BACKEND_ALREADY_OPEN',
        open,
        wanted: 'other on device a',
      });
      expect(await failure(openBackend(pluginOf('fast', ['a', 'b']), { deviceId: 'b' }))).toEqual({
        code: 'BACKEND_ALREADY_OPEN',
        open,
        wanted: 'fast on device b',
      });
    }
  });

  it('opens the same device again, each time a backend of its own', async () => {
    const plugin = pluginOf('fast', ['a', 'b']);
    const first = await openBackend(plugin, { deviceId: 'b' });
    const second = await openBackend(plugin);
    expect(second.device.id).toBe('b');
    expect(second).not.toBe(first);
  });

  it('lets the first of two concurrent opens win', async () => {
    const results = await Promise.all([
      failure(openBackend(pluginOf('one', ['a']))),
      failure(openBackend(pluginOf('two', ['a']))),
    ]);
    expect(results).toEqual(['no error', expect.objectContaining({ code: 'BACKEND_ALREADY_OPEN' })]);
  });

  it('leaves the process free after an open that fails', async () => {
    const broken = pluginOf('broken', ['a'], { open: () => Promise.reject(new Error('driver says no')) });
    expect(await failure(openBackend(broken))).toEqual({
      code: 'BACKEND_UNAVAILABLE',
      backend: 'broken',
      reason: 'device a does not open: Error: driver says no',
    });
    expect(processBackend()).toBeUndefined();
    expect((await openBackend(pluginOf('fast', ['a']))).device.id).toBe('a');
  });

  it('keeps the claim of an open that succeeds beside one that fails', async () => {
    const broken = pluginOf('fast', ['a'], { open: () => Promise.reject(new Error('busy')) });
    const results = [failure(openBackend(broken)), failure(openBackend(pluginOf('fast', ['a'])))];
    expect(await Promise.all(results)).toEqual([expect.objectContaining({ backend: 'fast' }), 'no error']);
    expect(processBackend()).toEqual({ backend: 'fast', device: 'a' });
  });

  it.each([0, -1, 1.5, Number.NaN, '2'])('refuses %s threads', async (threads) => {
    const opening = openBackend(pluginOf('fast', ['a']), { threads: threads as number });
    expect(await failure(opening)).toMatchObject({ code: 'REQUEST_INVALID', field: 'threads' });
  });

  it('takes a probe that throws for a backend that cannot run', async () => {
    const broken = pluginOf('broken', [], { probe: () => Promise.reject(new Error('boom')) });
    expect(await failure(openBackend(broken))).toEqual({
      code: 'BACKEND_UNAVAILABLE',
      backend: 'broken',
      reason: 'its probe fails: Error: boom',
    });
  });

  it('compares the version of the ABI', async () => {
    const newer = { ...pluginOf('newer', ['a']), abi: 2 } as unknown as BackendPlugin;
    expect(await failure(openBackend(newer))).toEqual({
      code: 'ABI_MISMATCH',
      plugin: 'newer',
      wants: 2,
      has: 1,
    });
  });

  it.each([
    ['nothing', undefined, 'its default export is not an object'],
    ['an object without abi', {}, 'abi is not a number'],
    ['a plugin without a name', { ...pluginOf('x', []), name: '' }, 'name is not a text'],
    ['a plugin without probe', { ...pluginOf('x', []), probe: undefined }, 'the plugin has no method probe'],
    [
      'a probe of another shape',
      pluginOf('x', [], { probe: async () => [] as never }),
      'probe gives no list of devices',
    ],
    ['devices of one id', pluginOf('x', ['a', 'a']), 'two devices share one id: a, a'],
    [
      'an open that gives no backend',
      pluginOf('x', ['a'], { open: async () => ({ device: {} }) as never }),
      'the backend has no method prepare',
    ],
    [
      'an open that gives nothing',
      pluginOf('x', ['a'], { open: async () => undefined as never }),
      'open gives no backend',
    ],
    ['a device without capabilities', probing({ id: 'a' }), 'device a has no capabilities'],
    [
      'capabilities of no ops',
      probing({ id: 'a', capabilities: { ...device('a').capabilities, ops: undefined } }),
      'ops is not a list',
    ],
    [
      'a backend whose device has other capabilities',
      pluginOf('x', ['a'], {
        open: async () => ({ ...(await pluginOf('x', ['a']).open('a')), device: { id: 'a' } }) as never,
      }),
      'device a has no capabilities',
    ],
  ])('refuses %s', async (_, plugin, reason) => {
    expect(await failure(openBackend(plugin as BackendPlugin))).toMatchObject({
      code: 'PLUGIN_INVALID',
      reason,
    });
    expect(processBackend()).toBeUndefined();
  });
});
