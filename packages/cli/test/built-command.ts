import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, defaultServerConditions } from 'vite';
import { inTreeModel } from '../src/in-tree-model.js';

const packageFolder = fileURLToPath(new URL('..', import.meta.url));
const conditions = ['pocketllm-source', ...defaultServerConditions];

/** The command built from source into a folder of its own, to be run as a process. */
export interface BuiltCommand {
  /** The script that Node is given. */
  readonly script: string;
  remove(): void;
}

/** Builds the sources as they are now, so that a test never runs an old dist. */
export async function buildCommand(): Promise<BuiltCommand> {
  // Below the package, whose package.json the command looks for from where it lies.
  mkdirSync(join(packageFolder, 'node_modules'), { recursive: true });
  const folder = mkdtempSync(join(packageFolder, 'node_modules', '.test-build-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    // As it is in a published package: models beside dist.
    cpSync(dirname(inTreeModel()), join(folder, 'models'), { recursive: true });
    await build({
      configFile: false,
      logLevel: 'error',
      root: packageFolder,
      resolve: { conditions },
      ssr: { noExternal: true, resolve: { conditions } },
      build: {
        ssr: 'src/main.ts',
        outDir: join(folder, 'dist'),
        target: 'node20',
        rollupOptions: { output: { entryFileNames: 'main.mjs' } },
      },
    });
    return { script: join(folder, 'dist', 'main.mjs'), remove };
  } catch (error) {
    remove();
    throw error;
  }
}
