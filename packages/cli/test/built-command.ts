import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, defaultServerConditions } from 'vite';

const packageFolder = fileURLToPath(new URL('..', import.meta.url));

/** The command built from source into a folder of its own, to be run as a process. */
export interface BuiltCommand {
  /** The script that Node is given. */
  readonly script: string;
  remove(): void;
}

/** Builds the sources as they are now, so that a test never runs an old dist. */
export async function buildCommand(): Promise<BuiltCommand> {
  // Within the package, as dist is: the command looks for package.json and models from where it lies.
  const folder = mkdtempSync(join(packageFolder, 'node_modules', '.test-build-'));
  await build({
    configFile: false,
    logLevel: 'error',
    root: packageFolder,
    resolve: { conditions: ['pocketllm-source', ...defaultServerConditions] },
    ssr: { noExternal: true, resolve: { conditions: ['pocketllm-source', ...defaultServerConditions] } },
    build: {
      ssr: 'src/main.ts',
      outDir: folder,
      emptyOutDir: false,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'main.mjs' } },
    },
  });
  return {
    script: join(folder, 'main.mjs'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
