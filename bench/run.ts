/**
 * `npm run bench`: the back office's lists on a database with a large merchant, the worker's scheduled runs on another,
 * and the speed of the REST API on a small one. `-- --only` runs one of these, or one of those that run by name only:
 * see `docs/operations.md`. `-- --quick` runs all of them, each within seconds, and judges no figure.
 */

import { StartupError } from '@/db/startup-error';
import { readOptions, run } from '@/server/cli/run';
import { measureBackOffice } from './back-office';
import { emptyDatabase, removeQuick, seededDatabase, withServer } from './database';
import { inFull, isQuick } from './pace';
import { measureGrowth } from './rest/growth';
import { measureMerchants, measureRest } from './rest/rest';
import { measureSoak } from './soak/soak';
import { measureWorker } from './worker';

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Ledger entries per customer, where sizes are compared. */
const entriesPerCustomer = 10;
const sizeOf = (customers: number) => ({ customers, entries: customers * entriesPerCustomer });
const few = inFull(10_000, 300);
const many = inFull(1_000_000, 400);

run(async () => {
  const values = readOptions({
    customers: { type: 'string' },
    entries: { type: 'string' },
    birthdays: { type: 'string' },
    lots: { type: 'string' },
    minutes: { type: 'string' },
    only: { type: 'string' },
    quick: { type: 'boolean' },
  });
  const number = (name: 'customers' | 'entries' | 'birthdays' | 'lots' | 'minutes', standard: number): number => {
    const value = Number(values[name] ?? standard);
    if (!Number.isInteger(value) || value <= 0) throw new StartupError(`--${name} takes a whole number.`);
    return value;
  };
  const cases: Record<string, () => Promise<boolean>> = {
    'back-office': () => {
      const size = { customers: number('customers', many), entries: number('entries', inFull(5_000_000, 4_000)) };
      if (size.entries < size.customers) throw new StartupError('There are at least as many entries as customers.');
      return withServer(false, async (server) => measureBackOffice(await seededDatabase(server, size, say), say));
    },
    worker: () => {
      const due = {
        birthdays: number('birthdays', inFull(100_000, 100)),
        lots: number('lots', inFull(1_000_000, 100)),
      };
      return withServer(false, async (server) => measureWorker(await emptyDatabase(server, 'bench_worker'), due, say));
    },
    rest: () => measureRest(sizeOf(number('customers', few)), say),
    merchants: () => measureMerchants(sizeOf(few), say),
    growth: () => measureGrowth(sizeOf(few), sizeOf(number('customers', many)), say),
    soak: () => measureSoak(sizeOf(few), number('minutes', 20), say),
  };
  const standard = isQuick ? Object.keys(cases) : ['back-office', 'worker', 'rest'];
  for (const name of values.only === undefined ? standard : [values.only]) {
    const measure = cases[name];
    if (!measure) throw new StartupError(`--only takes one of ${Object.keys(cases).join(', ')}.`);
    say(`\n${name}`);
    if (!(await measure()) && !isQuick) process.exitCode = 1;
  }
  removeQuick();
});
