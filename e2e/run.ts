/** `npm test`: everything that must hold, on a machine with nothing but Node. Its last line is `N passed, N failed`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { freePort } from '@/db/operations/ports';
import { isBuildCurrent, markBuild } from '@/server/cli/build-stamp';
import { ensureBrowser } from './browser';
import { buildCanary, secretSettings } from './canary';
import { demoFolder } from './fixtures/demo';

const results = 'test-results';

interface Count {
  passed: number;
  failed: number;
}

interface VitestFile {
  name: string;
  message: string;
  /** Milliseconds. */
  startTime: number;
  endTime: number;
  assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
}

interface PlaywrightResult {
  retry: number;
  /** Milliseconds. */
  duration: number;
  error?: { message: string };
  attachments: { name: string; path?: string }[];
}

interface PlaywrightSuite {
  specs: { file: string; title: string; tests: { results: PlaywrightResult[] }[] }[];
  suites?: PlaywrightSuite[];
}

interface PlaywrightReport {
  stats: { expected?: number; flaky?: number; unexpected?: number };
  /** Of no test: of the search for secrets at the end, say. */
  errors: { message: string }[];
  suites: PlaywrightSuite[];
}

/** What the REST suites ask of Next alone: its routes, addresses, bodies and headers, and each operation once. */
const throughNext = [
  ...['access/api-keys', 'access/ping', 'access/rate-limit', 'access/request-log', 'access/store-code'],
  ...['input/bad-body', 'input/openapi', 'transactions/get-transaction'],
].map((name) => `e2e/rest/${name}.test.ts`);

/** It measures what the service still answers, and when. */
const overload = 'e2e/chaos/overload.test.ts';

const total: Count = { passed: 0, failed: 0 };
/** Browser tests that failed at first and were retried, also when they then passed. */
let retried = 0;
/** What failed, and how: told once more at the end, where it is looked for. */
const failures: string[] = [];
/** How long each file took, in seconds. */
const durations: { file: string; seconds: number }[] = [];

/** What a step prints comes at its end, for others run beside it. */
async function step(name: string, [command = '', ...args]: string[], env: Record<string, string> = {}) {
  const child = spawn(command, args, { env: { ...process.env, ...env } });
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => printed.push(part));
  const [status] = await once(child, 'close');
  process.stdout.write(`\n── ${name}\n${Buffer.concat(printed)}`);
  return status === 0;
}

/** A step that is one check: it passes or fails as a whole. */
async function check(name: string, command: string[], env: Record<string, string> = {}) {
  const isGood = await step(name, command, env);
  total[isGood ? 'passed' : 'failed'] += 1;
  if (!isGood) failures.push(name);
  return isGood;
}

async function vitest(name: string, args: string[], env: Record<string, string> = {}) {
  const file = join(results, `${name.replaceAll(' ', '-')}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const isGood = await step(name, ['npx', '--no-install', 'vitest', 'run', ...args, ...reporters], env);
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  for (const { name: path, message, assertionResults, startTime, endTime } of (report.testResults ??
    []) as VitestFile[]) {
    durations.push({ file: relative('.', path), seconds: (endTime - startTime) / 1_000 });
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    for (const { fullName, failureMessages } of failed) failures.push(`${path} › ${fullName}: ${failureMessages[0]}`);
    if (message && failed.length === 0) failures.push(`${path}: ${message}`);
  }
  add(isGood, { passed: report.numPassedTests ?? 0, failed: report.numFailedTests ?? 0 });
}

/** On two demos at once. */
async function playwright(): Promise<void> {
  process.stdout.write('\n── end-to-end\n');
  const ports = [await freePort(), await freePort()];
  const child = spawn('npx', ['--no-install', 'playwright', 'test'], {
    stdio: 'inherit',
    env: { ...process.env, E2E_PORTS: ports.join() },
  });
  const [status] = await once(child, 'close');
  for (const port of ports) rmSync(demoFolder(port), { recursive: true, force: true });
  const file = join(results, 'e2e.json');
  const { stats, suites, errors }: PlaywrightReport = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { stats: {}, suites: [], errors: [] };
  failures.push(...errors.map(({ message }) => `end-to-end: ${message}`));
  for (const suite of suites) {
    const results = specsOf(suite).flatMap(({ tests }) => tests.flatMap((test) => test.results));
    const seconds = results.reduce((sum, { duration }) => sum + duration, 0) / 1_000;
    durations.push({ file: specsOf(suite)[0]?.file ?? '', seconds });
  }
  const specs = suites.flatMap(specsOf);
  retried += specs.flatMap(({ tests }) => tests).filter((test) => test.results.length > 1).length;
  for (const { file: path, title, tests } of specs)
    for (const { retry, error, attachments } of tests.flatMap((test) => test.results)) {
      if (!error) continue;
      failures.push(`${path} › ${title} (try ${retry + 1}): ${error.message}`);
      const seen = attachments.find(({ name }) => name === 'error-context')?.path;
      if (seen && existsSync(seen)) failures.push(`the page at that moment: ${snapshotIn(readFileSync(seen, 'utf8'))}`);
    }
  add(status === 0, { passed: (stats.expected ?? 0) + (stats.flaky ?? 0), failed: stats.unexpected ?? 0 });
}

/** The end of the page as Playwright describes it, where dialogs stand. */
const snapshotIn = (context: string) =>
  context
    .split('\n# ')
    .find((part) => part.startsWith('Page snapshot'))
    ?.slice(-4_000) ?? context;

function specsOf({ specs, suites = [] }: PlaywrightSuite): PlaywrightSuite['specs'] {
  return [...specs, ...suites.flatMap(specsOf)];
}

/** A run that failed without a failed test (it did not start, say) counts as one. */
function add(isGood: boolean, { passed, failed }: Count): void {
  total.passed += passed;
  total.failed += isGood ? failed : Math.max(failed, 1);
}

rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const canaries = Object.fromEntries(secretSettings.map((name) => [name, buildCanary]));
const [, isBuilt, hasBrowser] = await Promise.all([
  check('check', ['npm', 'run', '--silent', 'check']),
  isBuildCurrent(buildCanary) || check('build', ['npm', 'run', '--silent', 'build'], canaries),
  ensureBrowser().catch((error: Error) => {
    add(false, { passed: 0, failed: 1 });
    failures.push(error.message);
    return false;
  }),
]);
if (isBuilt) markBuild(buildCanary);
/** They kill processes and wait for others, one after the other. */
async function waitingSuites(): Promise<void> {
  await vitest('chaos', ['e2e/chaos', '--exclude', overload, '--no-file-parallelism']);
  if (isBuilt) await vitest('REST through Next', [...throughNext, '--no-file-parallelism'], { REST_TARGET: 'next' });
}
// These run together, because each alone leaves the processors partly idle.
await Promise.all([
  vitest('unit and integration', ['--exclude', 'e2e/chaos/**']),
  waitingSuites(),
  isBuilt && hasBrowser && playwright(),
]);
// With the machine to itself.
await vitest('overload', [overload]);
for (const failure of failures) process.stdout.write(`\n✗ ${failure.slice(0, 4_000)}\n`);
const slowest = durations.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10);
process.stdout.write(
  `\nThe ten slowest files:\n${slowest.map(({ file, seconds }) => `${seconds.toFixed(1)} s  ${file}\n`).join('')}`,
);
if (isBuilt && hasBrowser)
  process.stdout.write(`\n${retried} browser ${retried === 1 ? 'test was' : 'tests were'} retried\n`);
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
process.exit(total.failed === 0 ? 0 : 1);
