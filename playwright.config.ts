import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { browserArguments, findBrowser } from './e2e/browser';
import { demoFolder } from './e2e/fixtures/demo';
import { blankSettings } from './e2e/fixtures/service-environment';

/**
 * Of the demos: each worker has its own, as tests change the settings of the demo's merchants, and takes the next file when
 * it has finished one.
 */
export const ports = (process.env.E2E_PORTS || '3210').split(',').map(Number);
/** Playwright tells each worker which one it is, and calls this file in each. */
const ownPort = ports[Number(process.env.TEST_PARALLEL_INDEX || 0)] ?? 0;
/** The folder of a demo's data, separate from the developer's. */
export const dataDirOf = (port: number) => process.env.E2E_DATA_DIR || demoFolder(port);
export const dataDir = dataDirOf(ownPort);

/** The log file of a service under test, which is searched for secrets at the end. */
export const logFile = (name: string, port = ownPort) => join('test-results', `${name}-${port}.log`);
mkdirSync('test-results', { recursive: true });

export default defineConfig({
  testDir: 'e2e',
  testMatch: '{site,back-office,ordering}/**/*.e2e.ts',
  outputDir: 'test-results/e2e',
  workers: ports.length,
  // A machine four times slower keeps it.
  timeout: 240_000,
  expect: { timeout: 40_000 },
  forbidOnly: true,
  // A browser on a busy machine loses a click now and then. A test that fails once is reported as flaky; one that fails
  // twice fails the run.
  retries: 1,
  globalTeardown: './e2e/search-for-secrets.ts',
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    baseURL: `http://localhost:${ownPort}`,
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { executablePath: findBrowser(), args: browserArguments },
  },
  webServer: ports.map((port) => ({
    command: `node --import tsx server/cli/demo.ts > ${logFile('demo', port)} 2>&1`,
    url: `http://localhost:${port}/api/ready`,
    timeout: 240_000,
    // With E2E_DATA_DIR, uses a demo that was started manually on that data.
    reuseExistingServer: Boolean(process.env.E2E_DATA_DIR),
    env: { ...blankSettings, PORT: String(port), DATA_DIR: dataDirOf(port), LOG_LEVEL: 'info' },
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
  })),
});
