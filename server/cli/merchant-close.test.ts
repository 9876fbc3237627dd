/** The operator closes a merchant: who is refused, what stops, and that nothing is lost when it opens again. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { JobHelpers } from 'graphile-worker';
import { expect, test } from 'vitest';
import { commands } from '@/db/testing/commands';
import { ownDatabase } from '@/db/testing/database';
import { tasks } from '@/server/jobs/tasks';
import { createCampaignScene } from '@/server/testing/campaigns';
import { authenticateKey } from '../domain/access/authenticate';
import { newId } from '../domain/kernel/ids';
import { expireValue, expireValueOf } from '../domain/ledger/expire';
import { findMerchant } from '../domain/merchants';
import { placeTableOrder } from '../domain/qr-ordering/place-order';
import { getTablePage } from '../domain/qr-ordering/table-page';
import { topUp } from '../domain/top-ups';
import { beginOccasions, continueIssue, requeueStalledIssues } from '../domain/vouchers';
import { allCustomers } from '../domain/vouchers/campaign-schemas';
import { ensureEnvironment } from '../process/readiness';
import { createCustomer, createFixedPackage, createKey, createMerchant, testServices } from '../testing/factory';
import { menu } from '../testing/factory-ordering';
import { personOf } from '../testing/people';
import { createTables, openTable } from '../testing/tables';

const database = ownDatabase();

/** Runs a command. Returns its exit code and what it printed. */
const merchantCommand = async (...args: string[]) =>
  promisify(execFile)('node', [await commands(), 'merchant', ...args], {
    env: { ...process.env, DATABASE_URL: database.url, DATABASE_OWNER_URL: '', APP_ENV: 'sandbox' },
  }).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stderr }) => ({ code, said: stderr }),
  );

test('keys, staff and diners are refused from the next request on, until it is opened again', async () => {
  const { merchant, services, cashier, till, storeId } = await createTables(database);
  const table = await openTable({ till, merchant });
  const line = { plu: menu[0].plu, quantity: 1, unitPrice: menu[0].price };
  const order = () => placeTableOrder(services, table.visit, { clientOrderId: newId(), lines: [line], note: '' });
  const page = async () => (await getTablePage(services, table.visit, 'en')).state;
  const key = merchant.stores[0].key;
  const placed = { clientOrderId: newId(), lines: [line], note: '' };
  const first = await placeTableOrder(services, table.visit, placed);

  expect(await merchantCommand('close', merchant.id)).toEqual({ code: 0, said: 'Test Kitchen is closed.\n' });
  await expect(authenticateKey(services, key)).rejects.toMatchObject({ code: 'invalid_api_key' });
  expect((await personOf(services, cashier.staff.userId)).memberships).toEqual([]);
  expect(await findMerchant(services, merchant.id)).toBeNull();
  expect(await page()).toBe('closed');
  await expect(order()).rejects.toMatchObject({ code: 'qr_code_closed' });
  // A phone that did not get the response asks again.
  expect(await placeTableOrder(services, table.visit, placed)).toEqual(first);
  expect((await merchantCommand('close', merchant.id)).said).toBe('Test Kitchen was already closed.\n');

  expect((await merchantCommand('open', merchant.id)).said).toBe('Test Kitchen is open.\n');
  expect((await authenticateKey(services, key)).boundStore?.id).toBe(storeId);
  expect((await personOf(services, cashier.staff.userId)).memberships).toMatchObject([{ merchantId: merchant.id }]);
  expect(await page()).toBe('open');
  await order();
  expect(
    await database.owner`
      select actor_kind, action from audit_log
      where merchant_id = ${merchant.id} and action like 'merchant.%' order by id`,
  ).toEqual(['merchant.close', 'merchant.open'].map((action) => ({ actor_kind: 'service', action })));
});

test('a person who also works elsewhere goes on there', async () => {
  const { merchant, services, cashier } = await createTables(database);
  const other = await createMerchant(database.owner, { name: 'Other Kitchen' });
  const { userId } = cashier.staff;
  await database.owner`
    insert into memberships ${database.owner({ merchant_id: other.id, user_id: userId, role: 'owner' })}`;
  await merchantCommand('close', merchant.id);
  expect((await personOf(services, userId)).memberships.map(({ merchantId }) => merchantId)).toEqual([other.id]);
});

test('the worker issues and expires nothing there, and does so elsewhere; once open again, only expiry is made up for', async () => {
  const [closed, open] = [await createCampaignScene(database), await createCampaignScene(database)];
  const remaining = ({ merchant }: typeof closed) => database.owner`
    select remaining::integer from lots where merchant_id = ${merchant.id} and part = 'bonus'`;
  const issued = async (scene: typeof closed, campaignId: string) => (await scene.vouchersOf(campaignId)).length;
  const campaigns: string[] = [];
  for (const scene of [closed, open]) {
    const { id: customerId } = await createCustomer(database.owner, scene.merchant.id);
    const bonus = { amount: 1000, bonus: 200, bonus_expires_in_days: 1 };
    const packageId = await createFixedPackage(database.owner, scene.merchant.id, bonus);
    const till = await authenticateKey(scene.services, scene.merchant.stores[0].key);
    await topUp(till, { transactionId: newId(), customer: { customerId }, packageId });
    campaigns.push(await scene.addCampaign({ trigger: 'seasonal', seasonalOn: '2026-11-22' }));
  }
  const [closedCampaign = '', openCampaign = ''] = campaigns;
  await merchantCommand('close', closed.merchant.id);
  for (const scene of [closed, open]) scene.moveTo('2026-11-25T04:00:00Z');
  const work = async () => {
    await Promise.all([beginOccasions(open.services), expireValue(open.services), requeueStalledIssues(open.services)]);
    const begun = await database.owner`select merchant_id, id from voucher_issues where finished_at is null`;
    for (const { merchant_id: merchantId, id: issueId } of begun)
      await continueIssue(open.services, { merchantId, issueId });
  };
  await work();
  // A run that had listed the merchant before it was closed.
  await expireValueOf(open.services, { merchantId: closed.merchant.id });
  expect([await remaining(closed), await remaining(open)]).toEqual([[{ remaining: 200 }], [{ remaining: 0 }]]);
  expect([await issued(closed, closedCampaign), await issued(open, openCampaign)]).toEqual([0, 1]);
  await merchantCommand('open', closed.merchant.id);
  await work();
  expect(await remaining(closed)).toEqual([{ remaining: 0 }]);
  expect(await issued(closed, closedCampaign)).toBe(0);
});

test('a job that waits when it is closed is not begun', async () => {
  const scene = await createCampaignScene(database);
  await scene.addCustomers(1);
  const campaignId = await scene.addCampaign();
  const issueId = newId();
  const audience = { kind: 'segment', segment: allCustomers, expected: 1 } as const;
  await scene.call.vouchers.issue({ issueId, campaignId, audience });
  await merchantCommand('close', scene.merchant.id);
  const nothing = () => Promise.reject(new Error('nothing is sent here'));
  const list = tasks(testServices(database.db), { send: nothing } as never, nothing as never);
  const run = () => list['issue-vouchers']?.({ merchantId: scene.merchant.id, issueId }, {} as JobHelpers);
  await run();
  expect(await scene.vouchersOf(campaignId)).toEqual([]);
  await merchantCommand('open', scene.merchant.id);
  await run();
  expect(await scene.vouchersOf(campaignId)).toHaveLength(1);
});

test('the list shows each merchant with its keys, stores and customers, and when it was closed', async () => {
  const merchant = await createMerchant(database.owner, { name: 'Kopi & Kaya' });
  for (let n = 0; n < 3; n++) await createCustomer(database.owner, merchant.id);
  await merchantCommand('close', 'Kopi & Kaya');
  const today = new Date().toISOString().slice(0, 10);
  const { said } = await merchantCommand('list');
  expect(said).toMatch(/^id +name +keys +stores +customers +opened +closed +move\n/);
  const line = (said as string).split('\n').find((one) => one.startsWith(merchant.id));
  expect(line?.split(/ {2,}/)).toEqual([merchant.id, 'Kopi & Kaya', 'sandbox', '2', '3', today, today]);
  const row = async () => {
    const rows = JSON.parse((await merchantCommand('list', '--json')).said);
    return rows.find(({ id }: { id: string }) => id === merchant.id);
  };
  expect(await row()).toMatchObject({ stores: 2, environment: 'sandbox' });
  // Keys that no longer work do not count.
  for (const ended of [{ revoked_at: new Date() }, { expires_at: new Date() }]) {
    await createKey(database.owner, merchant.id, null, { environment: 'live', ...ended });
  }
  expect((await row()).environment).toBe('sandbox');
  await database.owner`update api_keys set revoked_at = now() where merchant_id = ${merchant.id} and revoked_at is null`;
  expect((await row()).environment).toBeNull();
});

test('with keys of the other environment it can’t be opened, and does not stop the service while closed', async () => {
  const merchant = await createMerchant(database.owner);
  await createKey(database.owner, merchant.id, null, { environment: 'live' });
  const check = () => ensureEnvironment(database.db.pool, 'sandbox');
  await expect(check()).rejects.toThrow('working live API keys');
  await merchantCommand('close', merchant.id);
  await check();
  expect((await merchantCommand('open', merchant.id)).said).toMatch(/^APP_ENV is sandbox, but [^\n]+\n$/);
  await check();
  await database.owner`update api_keys set revoked_at = now() where merchant_id = ${merchant.id} and environment = 'live'`;
  expect((await merchantCommand('open', merchant.id)).said).toBe('Test Kitchen is open.\n');
});

test('a merchant that is unknown, ambiguous or not named is answered in one line', async () => {
  for (const _ of [1, 2]) await createMerchant(database.owner, { name: 'Twins' });
  expect(await merchantCommand('close', 'Nobody')).toEqual({
    code: 1,
    said: 'No merchant has the id or name Nobody: merchant list shows them.\n',
  });
  expect((await merchantCommand('close', 'Twins')).said).toMatch(/^Several merchants are named Twins: [^\n]+\n$/);
  expect((await merchantCommand('close')).said).toBe('Name the merchant, and nothing else.\n');
  expect((await merchantCommand('open', 'Twins', '--force')).said).toMatch(/^Unknown option '--force'[^\n]+\n$/);
});
