import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { browserArguments, findBrowser } from './e2e/browser';
import { demoFolder } from './e2e/fixtures/demo';
import { blankSettings } from './e2e/fixtures/service-environment';

const port = Number(process.env.E2E_PORT || 3210);
/** The folder of the demo's data, separate from the developer's. */
export const dataDir = process.env.E2E_DATA_DIR || demoFolder(port);

/** The log file of a service under test, which is searched for secrets at the end. */
export const logFile = (name: string) => join('test-results', `${name}-${port}.log`);
mkdirSync('test-results', { recursive: true });

export default defineConfig({
  testDir: 'e2e',
  testMatch: '{site,back-office,ordering}/**/*.e2e.ts',
  outputDir: `test-results/e2e-${port}`,
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  // A browser on a busy machine loses a click now and then. A test that fails once is reported as flaky; one that fails
  // twice fails the run.
  retries: 1,
  globalTeardown: './e2e/search-for-secrets.ts',
  reporter: [['list'], ['json', { outputFile: `test-results/e2e-${port}.json` }]],
  use: {
    baseURL: `http://localhost:${port}`,
    launchOptions: { executablePath: findBrowser(), args: browserArguments },
  },
  webServer: {
    command: `node --import tsx server/cli/demo.ts > ${logFile('demo')} 2>&1`,
    url: `http://localhost:${port}/api/ready`,
    timeout: 240_000,
    // With E2E_DATA_DIR, uses a demo that was started manually on that data.
    reuseExistingServer: Boolean(process.env.E2E_DATA_DIR),
    env: { ...blankSettings, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'info' },
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
  },
});
