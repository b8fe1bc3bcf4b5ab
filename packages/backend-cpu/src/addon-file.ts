import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import manifest from '../package.json' with { type: 'json' };
import platforms from '../platforms.json' with { type: 'json' };

/** The file of the native module, or why there is none. */
export type AddonFile =
  | { readonly file: string; readonly missing?: never }
  | { readonly file?: never; readonly missing: string };

const fileName = 'pocketllm_cpu.node';
const fromSource = `npm explore ${manifest.name} -- npm run build:native`;

/**
 * Looks for the native module: what was built here comes first, then the package of the platform, which npm installs
 * beside this one where it fits.
 *
 * @param build the build folder of this package
 * @param platform as in platforms.json
 */
export function findAddon(build: URL, platform = `${process.platform}-${process.arch}`): AddonFile {
  const built = fileURLToPath(new URL(`Release/${fileName}`, build));
  if (existsSync(built)) return { file: built };
  const prebuilt = findPrebuilt(createRequire(build), platform);
  if (prebuilt.file !== undefined) return prebuilt;
  const failed = reasonOfBuild(build);
  const own = failed === undefined ? `not built here (\`${fromSource}\` does)` : `not built here: ${failed}`;
  return { missing: `${prebuilt.missing}, and the native part is ${own}` };
}

function findPrebuilt(require: NodeJS.Require, platform: string): AddonFile {
  if (!Object.hasOwn(platforms, platform)) {
    return { missing: `there is no prebuilt native part for ${platform}` };
  }
  const name = `${manifest.name}-${platform}`;
  let version: unknown;
  try {
    ({ version } = require(`${name}/package.json`) as { version?: unknown });
  } catch {
    return { missing: `the package ${name} is not installed` };
  }
  // Both sides of the native calls come from one release.
  if (version !== manifest.version) {
    return { missing: `the package ${name} is ${version} and has to be ${manifest.version}` };
  }
  return { file: require.resolve(`${name}/${fileName}`) };
}

/** What a build of this package wrote down when it failed. */
function reasonOfBuild(build: URL): string | undefined {
  try {
    return readFileSync(new URL('not-built.txt', build), 'utf8').trim();
  } catch {
    return undefined;
  }
}
