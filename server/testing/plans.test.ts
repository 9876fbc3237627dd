/**
 * Every statement that the service sends finds its rows by an index, however large the tables are. Runs every
 * procedure, operation, worker task and CSV export once, and checks the query plans.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pretendRows, readsTooMuch, type Scan, type Statement, scansOf, watchPlans } from '@/db/testing/plans';
import { replacedFunctions } from '@/db/testing/replaced-functions';
import { type FakeStripe, startFakeStripe } from '@/e2e/fixtures/fake-stripe';
import { restApi } from '@/e2e/rest/harness';
import { endpoints } from '../rest/endpoints';
import { accountRouter } from '../trpc/account/router';
import { dinerRouter } from '../trpc/diner/router';
import { listProcedures } from '../trpc/procedures';
import { staffRouter } from '../trpc/staff/router';
import { accountCalls } from './calls/account';
import { dinerCalls } from './calls/diner';
import { otherCalls } from './calls/elsewhere';
import { posCalls } from './calls/pos';
import { type CallScene, createCallScene } from './calls/scene';
import { staffChanges } from './calls/staff-changes';
import { staffLists } from './calls/staff-lists';
import { menuChanges } from './calls/staff-menu';
import { workerCalls } from './calls/worker';

/** Tables that stay small, with the reason. All others count as ten million rows. */
const smallTables: Record<string, string[]> = {
  'one for each merchant': ['merchants', 'report_progress', 'merchant_moves', 'ordering_settings'],
  'as many as a merchant has places, people, tills and tables': [
    'stores',
    'memberships',
    'invitations',
    'api_keys',
    'dining_tables',
  ],
  'ten for each merchant at most': ['webhook_endpoints'],
  'what a merchant offers, each kept by hand': [
    ...['menu_categories', 'menu_items', 'menu_item_stores', 'menu_option_groups', 'menu_options', 'menu_photos'],
    ...['menu_item_option_groups', 'stored_value_packages', 'stored_value_package_stores', 'voucher_campaigns'],
    ...['voucher_campaign_stores', 'message_templates'],
  ],
  'at most as many as the menu has items': ['stock_outs'],
  'a row for each day, whatever happens on it': ['ledger_days', 'credit_days', 'transaction_days', 'voucher_days'],
  'one for each file that a merchant brought along': ['customer_imports'],
  'one for each task of the worker': ['scheduled_tasks'],
};

interface Exemption extends Partial<Scan> {
  /** Matches the statement's text. */
  text: RegExp;
  why: string;
  /** True where sampled statistics decide whether the plan needs it. */
  isByChance?: true;
}

const exemptions: Exemption[] = [
  {
    table: 'transactions',
    by: 'transactions_facets',
    text: /exists \(\s*select ("uid" )?from "?transactions/,
    why: 'ends at the first row',
  },
  {
    table: 'qr_codes',
    by: 'qr_codes_table',
    text: /exists \(\s*select ("id" )?from "?qr_codes/,
    why: 'ends at the first row',
  },
  {
    table: 'job_runs',
    by: 'job_runs_task',
    endsEarly: true,
    text: /ended_at"? is null/,
    why: 'a merchant has one for each time that a task had something to do, of 30 days',
  },
  {
    table: 'qr_codes',
    by: 'qr_codes_unsettled',
    endsEarly: true,
    text: /expires_at"? <=/,
    why: 'of the unsettled codes all are expired but for the few that are open',
  },
  {
    table: 'transactions',
    by: 'transactions_facets',
    text: /from "?(ledger|transaction)_days/,
    why: 'made for the values at hand: all since the last summing up, a minute ago; these statistics do not tell how many',
    isByChance: true,
  },
  {
    table: 'top_up_requests',
    by: 'top_up_requests_alerts',
    text: /alerted_at"? is not null/,
    why: 'its rows are those that wait for somebody to look',
  },
  {
    table: 'card_disputes',
    by: 'card_disputes_open',
    text: /acknowledged_at/,
    why: 'its rows are those that wait for somebody to look',
  },
  {
    table: 'bill_payments',
    by: 'bill_payments_unsettled',
    endsEarly: true,
    text: /refused_before/,
    why: 'its rows are those that are not settled: of the last minutes, and the few whose refund is refused',
  },
  {
    table: 'bills',
    by: 'bills_open',
    text: /b.updated_at <= before/,
    why: 'its rows are the bills that are open now: the forgotten ones are closed',
  },
  {
    table: 'table_calls',
    by: 'table_calls_waiting',
    text: /order by "table_calls"."store_id"/,
    why: 'its rows are the calls that nobody has answered, of which few are not on the board',
  },
  {
    table: 'mails',
    by: 'mails_pkey',
    endsEarly: true,
    text: /state"? = 'inbox'/,
    why: 'in a sandbox that has an inbox, all are',
  },
  {
    text: /^DELETE FROM \w+ WHERE merchant_id = \$1$|^select "customer_id" from "balances".* for update$/,
    why: 'a reset deletes all that a merchant of a sandbox has',
  },
  {
    table: 'rate_buckets',
    text: /full_at"? <= now\(\)/,
    why: 'an index would cost each request a write; the sweep may cost',
  },
];

const calls = {
  'the REST API': posCalls,
  'the diner router': dinerCalls,
  'the account router': accountCalls,
  'the staff router': { ...staffLists, ...staffChanges, ...menuChanges },
  'the worker': workerCalls,
  'the rest': otherCalls,
};

const api = restApi({ own: true });
let stripe: FakeStripe;
let scene: CallScene;
let plans: () => Promise<Statement[]>;
let sent = '';
/** Statements that name their merchant and write. */
const writing: string[] = [];
const namesMerchant = /set_tenant\(|app\.merchant_id', \$/;
const writes = /\b(insert into|update "|delete from)/i;
/** The service's own tables except the small ones. */
const largeTables = new Set<string>();
const used = new Set<Exemption>();

beforeAll(async () => {
  stripe = await startFakeStripe();
  const fewRows = new Set(Object.values(smallTables).flat());
  await pretendRows(api.owner, fewRows);
  const tables = await api.owner`select relname as name from pg_class where relnamespace = 'public'::regnamespace`;
  for (const { name } of tables) if (!fewRows.delete(name)) largeTables.add(name);
  // Otherwise a table named above does not exist.
  expect([...fewRows]).toEqual([]);
  plans = await watchPlans(api.owner);
  scene = await createCallScene(api, stripe);
});
afterAll(() => stripe.stop());

/** Returns the statements of `work` that read too much. */
async function findBadPlans(work: () => Promise<unknown>): Promise<string[]> {
  await plans();
  await work();
  const statements = await plans();
  for (const { text } of statements) if (namesMerchant.test(text) && writes.test(text)) writing.push(text);
  sent += statements.map(({ text }) => text).join('\n');
  const found = statements.flatMap(({ text, plan }) => scansOf(plan).map((scan) => ({ text, scan })));
  return found.filter(isFault).map(({ text, scan }) => `${JSON.stringify(scan)}\n${text}`);
}

function isFault({ text, scan }: { text: string; scan: Scan }): boolean {
  if (!largeTables.has(scan.table) || !readsTooMuch(scan)) return false;
  const exemption = exemptions.find(
    ({ table = scan.table, by = scan.by, endsEarly = scan.endsEarly, text: pattern }) =>
      table === scan.table && by === scan.by && endsEarly === scan.endsEarly && pattern.test(text),
  );
  if (exemption) used.add(exemption);
  return !exemption;
}

describe.each(Object.entries(calls))('%s', (_, group) => {
  test.each(Object.entries(group))('%s', async (_name, call) => {
    expect(await findBadPlans(() => call(scene))).toEqual([]);
  });
});

describe('everything is covered', () => {
  test.each([
    ['the REST API', endpoints.map(({ operation }) => operation)],
    ...Object.entries({ diner: dinerRouter, account: accountRouter, staff: staffRouter }).map(
      ([name, router]) => [`the ${name} router`, listProcedures(router).map(({ path }) => path)] as const,
    ),
  ] as const)('of %s', (name, all) => {
    expect(Object.keys(calls[name as keyof typeof calls]).sort()).toEqual([...all].sort());
  });

  test('functions that see all merchants', async () => {
    const functions = await api.owner`
      select proname as name from pg_proc where prosecdef and pronamespace = 'public'::regnamespace`;
    const called = sent.replaceAll('"', '');
    const current = functions.map(({ name }) => name).filter((name) => !replacedFunctions.includes(name));
    expect(current.filter((name) => !called.includes(`${name}(`))).toEqual([]);
  });

  test('a statement that names its merchant itself only reads: writes are refused by withMerchant', () => {
    expect(writing).toEqual([]);
  });

  test('no exemption is unused', () => {
    expect(exemptions.filter((exemption) => !used.has(exemption) && !exemption.isByChance)).toEqual([]);
  });
});

test('a missing index is noticed', async () => {
  const { call, customer } = scene;
  const work = () => call.transactions.list({ customerId: customer.id });
  expect(await findBadPlans(work)).toEqual([]);
  await api.owner`drop index transactions_customer`;
  expect(await findBadPlans(work)).toEqual([expect.stringContaining('"table":"transactions"')]);
});
