import { readFile, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type BackendPlugin, PocketError } from '@pocketllm/abi';

/** A plugin with what its package says about itself. */
export interface LoadedPlugin {
  readonly plugin: BackendPlugin;
  /** The content of pocketllm.backend.json, unchecked; absent where the package has none. */
  readonly capabilities?: unknown;
  readonly package?: { readonly name: string; readonly version: string };
}

interface Manifest {
  readonly name?: unknown;
  readonly version?: unknown;
  readonly pocketllm?: { readonly backend?: unknown };
}

/**
 * Loads a plugin by the name of a package that is installed for `cwd`, by the path of a package, or by the path
 * of a module. Fails with BACKEND_NOT_FOUND where there is none, with PLUGIN_INVALID where it is none.
 */
export async function loadPlugin(wanted: string, cwd: string): Promise<LoadedPlugin> {
  const place = isPath(wanted) ? pathOf(wanted, cwd) : await installedFolder(wanted, cwd);
  const kind = place === undefined ? undefined : await stat(place).catch(() => undefined);
  if (place === undefined || kind === undefined) {
    throw new PocketError('BACKEND_NOT_FOUND', { wanted, available: [] });
  }
  const folder = kind.isDirectory() ? place : await enclosingPackage(place);
  const manifest: Manifest = (folder ? await readJson(join(folder, 'package.json')) : undefined) ?? {};
  const plugin = await importPlugin(kind.isDirectory() ? entryOf(wanted, place, manifest) : place, wanted);
  const capabilities = folder ? await readJson(join(folder, 'pocketllm.backend.json')) : undefined;
  return {
    plugin,
    ...(capabilities === undefined ? {} : { capabilities }),
    ...(manifest.name ? { package: { name: `${manifest.name}`, version: `${manifest.version ?? ''}` } } : {}),
  };
}

const isPath = (wanted: string): boolean =>
  /^(?:\.|file:)/.test(wanted) || isAbsolute(wanted) || /\.[cm]?[jt]s$/.test(wanted);

const pathOf = (wanted: string, cwd: string): string =>
  wanted.startsWith('file:') ? fileURLToPath(wanted) : resolve(cwd, wanted);

/** Where Node would find a package from a folder. */
async function installedFolder(name: string, from: string): Promise<string | undefined> {
  for (const folder of upwards(from)) {
    const candidate = join(folder, 'node_modules', name);
    if (await stat(join(candidate, 'package.json')).catch(() => undefined)) return candidate;
  }
  return undefined;
}

async function enclosingPackage(file: string): Promise<string | undefined> {
  for (const folder of upwards(dirname(file))) {
    if (await stat(join(folder, 'package.json')).catch(() => undefined)) return folder;
  }
  return undefined;
}

function* upwards(from: string): Generator<string> {
  for (let folder = resolve(from), last = ''; folder !== last; folder = dirname(folder)) {
    yield folder;
    last = folder;
  }
}

function entryOf(wanted: string, folder: string, { pocketllm }: Manifest): string {
  if (typeof pocketllm?.backend === 'string') return join(folder, pocketllm.backend);
  const reason = 'its package.json has no field pocketllm.backend';
  throw new PocketError('PLUGIN_INVALID', { plugin: wanted, reason });
}

async function importPlugin(entry: string, wanted: string): Promise<BackendPlugin> {
  const invalid = (reason: string, cause?: unknown) =>
    new PocketError('PLUGIN_INVALID', { plugin: wanted, reason }, { cause });
  let exported: unknown;
  try {
    exported = ((await import(pathToFileURL(entry).href)) as { default?: unknown }).default;
  } catch (cause) {
    throw invalid(`${entry} cannot be loaded: ${cause}`, cause);
  }
  const plugin = exported as Partial<BackendPlugin> | undefined;
  if (typeof plugin?.probe === 'function' && typeof plugin.open === 'function')
    return plugin as BackendPlugin;
  throw invalid(`${entry} has no default export with the functions probe and open`);
}

/** Undefined where there is no such file; its text where it is no JSON, so that a check refuses it. */
async function readJson(path: string): Promise<object | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return Object(text);
  }
}
