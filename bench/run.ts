/**
 * `npm run bench`: the back office's lists on a database with a large merchant, the worker's scheduled runs on another,
 * and the speed of the REST API on a small one. `-- --only` runs one of these, or one of those that run by name only:
 * see `docs/operations.md`.
 */

import { StartupError } from '@/db/startup-error';
import { readOptions, run } from '@/server/cli/run';
import { measureBackOffice } from './back-office';
import { emptyDatabase, seededDatabase, withServer } from './database';
import { measureGrowth } from './rest/growth';
import { measureMerchants, measureRest } from './rest/rest';
import { measureSoak } from './soak/soak';
import { measureWorker } from './worker';

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Ledger entries per customer, where sizes are compared. */
const entriesPerCustomer = 10;
const sizeOf = (customers: number) => ({ customers, entries: customers * entriesPerCustomer });

run(async () => {
  const values = readOptions({
    customers: { type: 'string' },
    entries: { type: 'string', default: '5000000' },
    birthdays: { type: 'string', default: '100000' },
    lots: { type: 'string', default: '1000000' },
    minutes: { type: 'string', default: '20' },
    only: { type: 'string' },
  });
  const number = (name: 'customers' | 'entries' | 'birthdays' | 'lots' | 'minutes', fallback = 0): number => {
    const value = Number(values[name] ?? fallback);
    if (!Number.isInteger(value) || value <= 0) throw new StartupError(`--${name} takes a whole number.`);
    return value;
  };
  const cases: Record<string, () => Promise<boolean>> = {
    'back-office': () => {
      const size = { customers: number('customers', 1_000_000), entries: number('entries') };
      if (size.entries < size.customers) throw new StartupError('There are at least as many entries as customers.');
      return withServer(false, async (server) => measureBackOffice(await seededDatabase(server, size, say), say));
    },
    worker: () => {
      const due = { birthdays: number('birthdays'), lots: number('lots') };
      return withServer(false, async (server) => measureWorker(await emptyDatabase(server, 'bench_worker'), due, say));
    },
    rest: () => measureRest(sizeOf(number('customers', 10_000)), say),
    merchants: () => measureMerchants(sizeOf(10_000), say),
    growth: () => measureGrowth(sizeOf(10_000), sizeOf(number('customers', 1_000_000)), say),
    soak: () => measureSoak(number('minutes'), say),
  };
  const names = values.only === undefined ? ['back-office', 'worker', 'rest'] : [values.only];
  for (const name of names) {
    const measure = cases[name];
    if (!measure) throw new StartupError(`--only takes one of ${Object.keys(cases).join(', ')}.`);
    if (!(await measure())) process.exitCode = 1;
  }
});
