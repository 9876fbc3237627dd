import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { Sequencer } from './server/testing/sequencer';

export default defineConfig({
  resolve: {
    alias: { '@': resolve('.') },
  },
  // As in production, where React has no development runtime.
  oxc: { jsx: { runtime: 'automatic', development: false } },
  test: {
    include: ['{db,server,components,app}/**/*.test.{ts,tsx}', '{bench,e2e/rest,e2e/chaos}/**/*.test.ts'],
    globalSetup: ['db/testing/global-setup.ts', 'e2e/rest/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    isolate: false,
    sequence: { sequencer: Sequencer },
    // A machine four times slower keeps them.
    testTimeout: 120_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 40_000 } },
    env: { NODE_ENV: 'production' },
  },
});
