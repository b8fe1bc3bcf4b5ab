import { defaultClientConditions, defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { xgrammarForTests } from './packages/runtime/scripts/xgrammar-module.mjs';

const source = 'pocketllm-source';

// Tests read the TypeScript of every workspace package, so no build has to come first.
export default defineConfig({
  plugins: [xgrammarForTests],
  resolve: { conditions: [source, ...defaultClientConditions] },
  ssr: { resolve: { conditions: [source, ...defaultServerConditions] } },
  test: {
    include: ['packages/*/{src,test}/**/*.test.ts', 'tests/**/*.test.ts', 'scripts/*.test.mjs'],
    testTimeout: 30_000,
    // Vitest would leave one core free, which on two cores is half of them.
    maxWorkers: '100%',
  },
});
