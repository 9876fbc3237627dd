import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    alias: { '@': resolve('.') },
  },
  // As in production, where React has no development runtime.
  oxc: { jsx: { runtime: 'automatic', development: false } },
  test: {
    include: ['{db,server,components,app}/**/*.test.{ts,tsx}', 'e2e/{rest,chaos}/**/*.test.ts'],
    globalSetup: ['db/testing/global-setup.ts', 'e2e/rest/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    env: { NODE_ENV: 'production' },
  },
});
