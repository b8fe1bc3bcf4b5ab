import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin, UserConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Vite lists the licences of code; the typeface brings its own. */
const licenceOfTypeface: Plugin = {
  name: 'licence-of-typeface',
  async buildStart() {
    const found = await this.resolve('@fontsource-variable/figtree/LICENSE');
    if (!found) this.error('the typeface has no LICENSE');
    this.emitFile({ type: 'asset', fileName: 'figtree-licence.txt', source: readFileSync(found.id) });
  },
};

/** Builds the chat page into `dist/page`, where the server finds it. */
const config: UserConfig = {
  root: here('.'),
  // Paths are relative, so that the page works below any path of a proxy.
  base: './',
  plugins: [licenceOfTypeface],
  build: {
    outDir: here('../dist/page'),
    emptyOutDir: true,
    target: ['chrome123', 'firefox120', 'safari17.5'],
    // The page's own policy allows no data URLs.
    assetsInlineLimit: 0,
    modulePreload: false,
    license: { fileName: 'licences.md' },
    reportCompressedSize: false,
  },
};

export default config;
