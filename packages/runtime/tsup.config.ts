import { defineConfig } from 'tsup';
import { xgrammarForBuild } from './scripts/xgrammar-module.mjs';

export default defineConfig({
  entry: { index: 'src/index.ts', 'node/index': 'src/node/index.ts' },
  format: 'esm',
  target: 'node20',
  dts: true,
  sourcemap: true,
  clean: true,
  esbuildPlugins: [xgrammarForBuild],
});
