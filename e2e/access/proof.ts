/**
 * `npm run proof:access`: the attempts of a security review as a suite. It runs the tests that attack the service, on a
 * real PostgreSQL and in a browser, and prints for each kind of attack how many tests there were, how many requests and
 * calls these counted, and how many of them got an error. A new test belongs to the group whose folder or name it has.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { freePort } from '@/db/operations/ports';
import { isBuildCurrent, markBuild } from '@/server/cli/build-stamp';
import { run } from '@/server/cli/run';
import { ensureBrowser } from '../browser';
import { demoFolder } from '../fixtures/demo';

/** The beginnings of the paths of each group's tests. A file belongs to the group that has the longest. */
const groups: Record<string, string[]> = {
  'Another merchant’s or store’s data': [
    'db/schema/stores',
    'db/schema/tenancy',
    'e2e/rest/access/tenancy',
    'e2e/rest/access/store-code',
    'server/csv/stores',
    'server/csv/tenancy',
    'server/domain/transactions/own-stores',
    'server/trpc/diner/tenancy',
    'server/trpc/diner/waiting-phone',
    'server/trpc/stores',
    'server/trpc/tenancy',
  ],
  'Staff procedures by the wrong people': ['e2e/site/wrong-people'],
  'Who may call what, by role, scope and store': ['server/testing/authorisation', 'e2e/rest/access/scopes'],
  'Keys: wrong, ended, over their limits': ['e2e/rest/access', 'server/domain/transactions/daily-limits'],
  'Networks of keys against forwarding headers': ['server/limits/claimed-networks', 'server/limits/client'],
  'Limits of staff by day, also at once': ['server/domain/daily-limits', 'server/domain/merchants/confirm-above'],
  'Passwords, second steps, sessions, lock-out': [
    'e2e/back-office/second-step',
    ...['e2e/site/password-reset', 'e2e/site/sign-in', 'server/auth', 'server/domain/access', 'server/limits'],
    'server/trpc/account',
  ],
  'Rows of another merchant, by files, seeds and moves': [
    'server/testing/seeds',
    'server/domain/customer-imports/openings',
    'server/domain/customer-imports/second-person',
    'server/domain/menu/import-items',
    'server/domain/merchant-move/move',
  ],
  'Changed and foreign archives': [
    'server/domain/merchant-archive/changed-cells',
    'server/domain/merchant-archive/damage',
    'server/domain/merchant-archive/origin',
  ],
  'Diners’ codes and PINs': ['e2e/rest/customers/forget-pin', 'e2e/rest/customers/redeem-pin', 'server/domain/diners'],
  'Malformed requests': ['app/api/trpc', 'e2e/rest/input/bad-address', 'e2e/rest/input/bad-body', 'server/process'],
  'Odd inputs': ['e2e/rest/fuzz', 'e2e/rest/input'],
  Races: ['e2e/rest/transactions/late-commit', 'e2e/rest/transactions/races', 'e2e/rest/vouchers/races'],
  'Races of phones and tills over a bill': [
    ...['server/domain/bills/card-races', 'server/domain/bills/hold-races', 'server/domain/bills/payments'],
    'server/trpc/diner/bill',
  ],
  'Addresses for webhooks': [
    'server/domain/kernel/networks',
    'server/domain/webhooks/endpoints',
    'server/gateways/webhook-sender',
  ],
  'Forged webhooks': ['e2e/rest/webhooks/stripe-webhook', 'e2e/rest/webhooks/whatsapp-webhook'],
  'Other origins, frames and scripts': ['e2e/site/every-page', 'e2e/site/security'],
};

interface Outcome {
  file: string;
  name: string;
  hasPassed: boolean;
  attempts: number;
  refused: number;
}

const results = 'test-results';
const prefixes = Object.values(groups).flat();
const beginsOf = (kind: 'browser' | 'other') =>
  prefixes.filter((prefix) => /^e2e\/(site|back-office)\//.test(prefix) === (kind === 'browser'));

function execute(args: string[], env: Record<string, string> = {}): void {
  spawnSync('npx', ['--no-install', ...args], { stdio: 'inherit', env: { ...process.env, ...env } });
}

function readReport<Report>(file: string): Report {
  if (!existsSync(file)) throw new Error('The tests did not run.');
  return JSON.parse(readFileSync(file, 'utf8'));
}

interface VitestReport {
  testResults: {
    name: string;
    status: string;
    assertionResults: { fullName: string; status: string; meta: { attempts?: number; refused?: number } }[];
  }[];
}

function runVitest(): Outcome[] {
  const file = join(results, 'access.json');
  rmSync(file, { force: true });
  execute(['vitest', 'run', ...beginsOf('other'), '--reporter=dot', '--reporter=json', `--outputFile.json=${file}`]);
  return readReport<VitestReport>(file).testResults.flatMap(({ name, status, assertionResults }) => {
    const path = relative('.', name);
    // A file that could not be loaded has no tests.
    if (assertionResults.length === 0) {
      return [{ file: path, name: '', hasPassed: status === 'passed', attempts: 0, refused: 0 }];
    }
    return assertionResults.map(({ fullName, status, meta }) => ({
      file: path,
      name: fullName,
      hasPassed: status === 'passed',
      attempts: meta.attempts ?? 0,
      refused: meta.refused ?? 0,
    }));
  });
}

interface PlaywrightSuite {
  specs: { file: string; title: string; ok: boolean; tests: { results: { annotations: { type: string }[] }[] }[] }[];
  suites?: PlaywrightSuite[];
}

async function runPlaywright(): Promise<Outcome[]> {
  await ensureBrowser();
  // Playwright waits four minutes for the service, and a build may take longer.
  if (!isBuildCurrent()) {
    spawnSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
    markBuild();
  }
  const port = await freePort();
  execute(['playwright', 'test', ...beginsOf('browser')], { E2E_PORTS: String(port) });
  rmSync(demoFolder(port), { recursive: true, force: true });
  const { suites } = readReport<{ suites: PlaywrightSuite[] }>(join(results, 'e2e.json'));
  const specsOf = ({ specs, suites = [] }: PlaywrightSuite): PlaywrightSuite['specs'] => [
    ...specs,
    ...suites.flatMap(specsOf),
  ];
  return suites.flatMap(specsOf).map(({ file, title, ok, tests }) => {
    const last = tests.at(-1)?.results.at(-1)?.annotations ?? [];
    const refused = last.filter(({ type }) => type === 'refused').length;
    const answered = last.filter(({ type }) => type === 'answered').length;
    return { file: join('e2e', file), name: title, hasPassed: ok, attempts: refused + answered, refused };
  });
}

function groupOf(file: string): string {
  const longest = prefixes.filter((prefix) => file.startsWith(prefix)).sort((a, b) => b.length - a.length)[0];
  return Object.keys(groups).find((name) => longest !== undefined && groups[name]?.includes(longest)) ?? file;
}

/** Prints the table. Returns what failed, and what found no test. */
function tell(outcomes: Outcome[]): string[] {
  const row = (cells: (string | number)[]) =>
    `${cells.map((cell, at) => (at === 0 ? String(cell).padEnd(46) : String(cell).padStart(10))).join('')}\n`;
  const sum = (of: Outcome[], field: 'attempts' | 'refused') => of.reduce((total, one) => total + one[field], 0);
  process.stdout.write(`\n${row(['Attempts', 'Tests', 'Attempts', 'Refused', 'Failed'])}`);
  for (const name of [...Object.keys(groups), 'All']) {
    const of = outcomes.filter(({ file }) => name === 'All' || groupOf(file) === name);
    const failed = of.filter(({ hasPassed }) => !hasPassed).length;
    process.stdout.write(row([name, of.length, sum(of, 'attempts'), sum(of, 'refused'), failed]));
  }
  return [
    ...outcomes.filter(({ hasPassed }) => !hasPassed).map(({ file, name }) => `${file} › ${name}`),
    ...prefixes
      .filter((prefix) => !outcomes.some(({ file }) => file.startsWith(prefix)))
      .map((one) => `${one}: no test`),
  ];
}

run(async () => {
  mkdirSync(results, { recursive: true });
  const failures = tell([...runVitest(), ...(await runPlaywright())]);
  for (const failure of failures) process.stdout.write(`\n✗ ${failure}`);
  process.stdout.write(failures.length === 0 ? '\nPassed.\n' : '\n');
  process.exit(failures.length === 0 ? 0 : 1);
});
