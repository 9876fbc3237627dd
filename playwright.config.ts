import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { browserArguments, findBrowser } from './e2e/browser';
import { demoFolder } from './e2e/fixtures/demo';
import { blankSettings } from './e2e/fixtures/service-environment';

const port = Number(process.env.E2E_PORT || 3210);
/** The demo's own data, apart from the developer's. */
export const dataDir = process.env.E2E_DATA_DIR || demoFolder(port);

/** Where a service of the tests writes what it prints, to be searched for secrets at the end. */
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
  // A browser on a busy machine loses a click now and then. What fails once is told at the end, what fails twice fails.
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
    // A demo that was started on those data by hand will do.
    reuseExistingServer: Boolean(process.env.E2E_DATA_DIR),
    env: { ...blankSettings, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'info' },
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
  },
});
