import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Runs files that import modules anew last. Files of a worker share its modules (`isolate: false`), and a module that is
 * being imported while others are reset keeps the old ones: a later file would get two engines, each with its own queue.
 */
class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const resets = sorted.filter(({ moduleId }) => /resetModules|useSettings/.test(readFileSync(moduleId, 'utf8')));
    return [...sorted.filter((file) => !resets.includes(file)), ...resets];
  }
}

export default defineConfig({
  resolve: {
    alias: { '@': resolve('.') },
  },
  // As in production, where React has no development runtime.
  oxc: { jsx: { runtime: 'automatic', development: false } },
  test: {
    include: ['{db,server,components,app}/**/*.test.{ts,tsx}', '{bench,e2e/rest,e2e/chaos,e2e/stripe}/**/*.test.ts'],
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
