// @ts-check
// The platform package of node-llama-cpp brings a library for each kind of processor, and llama.cpp takes the best
// that fits. It has no switch to take another; but it can only choose from what lies in the folder.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The libraries of a level, by our names of instruction sets. None uses more than the level has. @type {Readonly<Record<string, string[]>>} */
const variants = {
  avx2: ['haswell'],
  avxvnni: ['alderlake'],
  avx512vnni: ['cascadelake', 'icelake', 'zen4'],
  amx: ['sapphirerapids'],
};

const platform = `${process.platform}-${process.arch}`;
const platformPackage = `@node-llama-cpp/${platform}`;

/** Whether the peer has a library for an instruction set. @param {string} isa */
export const hasVariant = (isa) => Object.hasOwn(variants, isa);

/**
 * Makes the package find its libraries in a folder that lacks those of other levels. To be called before the
 * package is imported; it holds for the whole process.
 *
 * @param {string} isa
 */
export function holdToVariant(isa) {
  const wanted = variants[isa] ?? [];
  const installed = join(dirname(createRequire(import.meta.url).resolve(platformPackage)), '..');
  const folder = mkdtempSync(join(tmpdir(), 'pocketllm-peer-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const [all, reduced] = [join(installed, 'bins', platform), join(folder, platform)];
  mkdirSync(reduced);
  for (const file of readdirSync(all)) {
    const variant = /^libggml-cpu-(\w+)\./.exec(file)?.[1];
    if (variant === undefined || wanted.includes(variant)) symlinkSync(join(all, file), join(reduced, file));
  }
  const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  const module = `export const getBinsDir = () => (${JSON.stringify({ binsDir: folder, packageVersion: version })});`;
  const replacement = `data:text/javascript,${encodeURIComponent(module)}`;
  const hook = `export const resolve = (specifier, context, next) => specifier === ${JSON.stringify(platformPackage)}
    ? { url: ${JSON.stringify(replacement)}, format: 'module', shortCircuit: true } : next(specifier, context);`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
}
