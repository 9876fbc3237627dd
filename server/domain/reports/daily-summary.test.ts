/** The summary of a day by e-mail: recipients, time and figures, and that it is never sent twice. */
import { expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { printLetter } from '@/server/gateways/letters';
import { createCustomer, createFixedPackage, createMerchant, testServices } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { authenticateKey } from '../access/authenticate';
import { newId } from '../kernel/ids';
import { listSandboxMails } from '../mail';
import { redeemStoredValue } from '../stored-value/redeem';
import { topUp } from '../top-ups/top-up';
import { sendDailySummaries } from './daily-summary';

const database = ownDatabase();

async function createScene() {
  const { owner, db } = database;
  let now = new Date('2026-03-10T04:00:00Z');
  const services = testServices(db, { now: () => now });
  const merchant = await createMerchant(owner);
  const till = await authenticateKey(services, merchant.stores[0].key);
  const packageId = await createFixedPackage(owner, merchant.id, { amount: 1_000, bonus: 200 });
  const { id: customerId } = await createCustomer(owner, merchant.id);
  const on = (moment: string) => {
    now = new Date(moment);
  };
  const pay = () => topUp(till, { transactionId: newId(), customer: { customerId }, packageId });
  const spend = (amount: number) =>
    redeemStoredValue(till, { transactionId: newId(), customer: { customerId }, amount });
  const members = new Set<string>();
  const join = async (role: 'owner' | 'manager' | 'cashier') => {
    const person = await createStaff(owner, services, merchant.id, role);
    members.add(person.staff.email);
    return person;
  };
  /** Returns the mails to members since the last call. */
  let seen = new Set<string>();
  const mails = async () => {
    const all = await listSandboxMails(services);
    const fresh = all.filter(({ mailId, recipient }) => members.has(recipient) && !seen.has(mailId));
    seen = new Set(all.map(({ mailId }) => mailId));
    return fresh.map(({ recipient, letter }) => ({ recipient, ...printLetter(letter) }));
  };
  return { merchant, services, on, pay, spend, join, mails, send: () => sendDailySummaries(services) };
}

test('after the merchant’s day, once for each person who wants it, in their language', async () => {
  const { on, pay, spend, join, mails, send } = await createScene();
  const [owner, manager, other] = [await join('owner'), await join('manager'), await join('manager')];
  await pay();
  await callAs(owner).reports.setDailySummary({ isOn: true, language: 'en' });
  await callAs(manager).reports.setDailySummary({ isOn: true, language: 'zh' });
  await callAs(other).reports.setDailySummary({ isOn: true, language: 'en' });
  await callAs(other).reports.setDailySummary({ isOn: false, language: 'en' });
  expect(await callAs(owner).reports.dailySummary()).toEqual({ isOn: true });
  expect(await callAs(other).reports.dailySummary()).toEqual({ isOn: false });
  await spend(300);
  // The last moment of the day in Singapore.
  on('2026-03-10T15:59:59.999Z');
  await send();
  expect(await mails()).toEqual([]);
  on('2026-03-10T16:00:00.000Z');
  // This counts on the next day.
  await pay();
  await Promise.all([send(), send(), send()]);
  await send();
  const sent = await mails();
  expect(sent.map(({ recipient }) => recipient).sort()).toEqual([owner.staff.email, manager.staff.email].sort());
  const english = sent.find(({ recipient }) => recipient === owner.staff.email);
  expect(english?.subject).toContain('10 March 2026');
  expect(english?.lines).toEqual(
    expect.arrayContaining([
      'Net sales: $0.00',
      'Number of sales: 0',
      'Net top-ups: $10.00',
      'Stored value redeemed: $3.00',
      'Outstanding balance: $9.00',
    ]),
  );
  expect(english?.link.url).toMatch(/\/reports\?report=sales&period=custom&from=2026-03-10&until=2026-03-10$/);
  expect(sent.find(({ recipient }) => recipient === manager.staff.email)?.lines.join()).toContain('充值: ');
});

test('a worker that was down sends the last day only; those who are cashiers now, or left, get none', async () => {
  const { on, join, mails, send } = await createScene();
  const [owner, manager, leaving] = [await join('owner'), await join('manager'), await join('manager')];
  for (const person of [owner, manager, leaving])
    await callAs(person).reports.setDailySummary({ isOn: true, language: 'en' });
  await callAs(owner).staff.changeRole({ userId: manager.staff.userId, role: 'cashier' });
  await callAs(owner).staff.remove({ userId: leaving.staff.userId });
  on('2026-03-14T01:00:00Z');
  await send();
  const sent = await mails();
  expect(sent.map(({ recipient }) => recipient)).toEqual([owner.staff.email]);
  expect(sent[0]?.subject).toContain('13 March 2026');
  // Turning it off and on does not repeat a day.
  await callAs(owner).reports.setDailySummary({ isOn: false, language: 'en' });
  await callAs(owner).reports.setDailySummary({ isOn: true, language: 'en' });
  await callAs(owner).reports.setDailySummary({ isOn: true, language: 'zh' });
  await send();
  expect(await mails()).toEqual([]);
  on('2026-03-15T01:00:00Z');
  await send();
  expect((await mails()).map(({ recipient }) => recipient)).toEqual([owner.staff.email]);
});

test('a merchant whose time zone PostgreSQL does not know keeps nobody else from the summary', async () => {
  const [here, elsewhere] = [await createScene(), await createScene()];
  for (const { join } of [here, elsewhere])
    await callAs(await join('owner')).reports.setDailySummary({ isOn: true, language: 'en' });
  // JavaScript knows it. PostgreSQL does not, as newer systems don't know Asia/Calcutta.
  await database.owner`update merchants set time_zone = 'AET' where id = ${elsewhere.merchant.id}`;
  here.on('2026-03-11T01:00:00Z');
  await here.send();
  expect(await here.mails()).toHaveLength(1);
  await database.owner`update merchants set time_zone = 'UTC' where id = ${elsewhere.merchant.id}`;
});
