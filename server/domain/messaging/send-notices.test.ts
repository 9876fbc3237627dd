/**
 * Waiting notices: many at once, notices that the messenger accepts later, and notices that no longer apply by then.
 */
import { expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { createNoticeScene, silentMessenger } from '@/server/testing/notices';
import { authenticateKey } from '../access/authenticate';
import { say } from '../kernel/say';
import { redeemVoucher } from '../vouchers/redeem';
import type { Messenger } from './deliver';
import { remindOfExpiry } from './remind';
import { sendNotices } from './send-notices';

const database = ownDatabase();

test('for more than one batch, the worker continues at once; for the last one it does not', async () => {
  const scene = await createNoticeScene(database);
  await scene.turnOn('voucher-issued');
  await scene.issueTo(await scene.addCampaign(), await scene.addCustomers(53));
  const left = async () => (await scene.rows()).filter(({ state }) => state === 'queued').length;
  const jobs = () => database.owner`
    select from graphile_worker.jobs where key = ${`notices ${scene.merchant.id}`}`;
  await scene.send();
  expect([await left(), (await jobs()).length]).toEqual([3, 1]);
  await database.owner`select graphile_worker.remove_job(${`notices ${scene.merchant.id}`})`;
  await scene.send();
  expect([await left(), (await jobs()).length]).toEqual([0, 0]);
});

test('a message that is not accepted is tried eight times, with doubling delays', async () => {
  const scene = await createNoticeScene(database);
  await scene.turnOn('top-up-receipt');
  const [customerId] = (await scene.addCustomers(1)) as [string];
  await scene.pay(customerId);
  const busyAnswer = say('httpError', { status: 503 });
  const busy: Messenger = { ...silentMessenger, sendNotice: async () => ({ outcome: 'retry', reason: busyAnswer }) };
  const services = { ...scene.services, messenger: 'whatsapp' as const };
  const pauses: number[] = [];
  for (let tries = 1; tries <= 8; tries++) {
    const at = services.systemClock.now();
    await sendNotices(services, busy, scene.merchant.id);
    const [row] = await scene.rows();
    expect(row).toMatchObject({ attempts: tries, failure: busyAnswer, state: tries < 8 ? 'queued' : 'failed' });
    if (tries === 8) break;
    pauses.push((row?.due_at.getTime() - at.getTime()) / 60_000);
    scene.moveTo(row?.due_at.toISOString());
  }
  expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 128]);
});

test('a voucher that was used meanwhile is not sent', async () => {
  const scene = await createNoticeScene(database);
  await scene.turnOn('voucher-issued');
  const campaignId = await scene.addCampaign();
  const [customerId] = (await scene.addCustomers(1)) as [string];
  await scene.issueTo(campaignId, [customerId]);
  const [voucher] = await scene.vouchersOf(campaignId);
  const till = await authenticateKey(scene.services, scene.merchant.stores[0].key);
  const given = { voucherCode: voucher?.voucher_code as string, bill: { amount: 2_000 } };
  await redeemVoucher(till, { transactionId: 'lunch', customer: { customerId }, ...given });
  await scene.send();
  expect(await scene.rows()).toMatchObject([{ state: 'failed', failure: say('notSoAnyMore') }]);
});

test('of several that end on a day, four are named with the number of others; cancelled ones are not', async () => {
  const scene = await createNoticeScene(database);
  await scene.turnOn('value-expiring', 'en', '{value}');
  const customers = (await scene.addCustomers(3)) as [string, string, string];
  const campaigns: string[] = [];
  for (const [n, name] of ['One', 'Two', 'Three', 'Four', 'Five', 'Six'].entries()) {
    // A second apart, because ids of the same moment are in random order.
    scene.moveTo(`2026-11-20T04:00:0${n}Z`);
    const campaignId = await scene.addCampaign({ name, validUntil: '2026-11-25' });
    await scene.issueTo(campaignId, customers);
    campaigns.push(campaignId);
  }
  await remindOfExpiry(scene.services);
  const [first, second, third] = customers;
  const { owner } = database;
  const of = (customerId: string, ...ids: string[]) => owner`customer_id = ${customerId} and campaign_id = any(${ids})`;
  await owner`update vouchers set cancelled_at = now() where ${of(first, ...campaigns.slice(0, 2))}`;
  await owner`update vouchers set cancelled_at = now() where ${of(third, ...campaigns)}`;
  await scene.send();
  const said = async (customerId: string) =>
    (await (await scene.call()).messages.list({ customerId })).items.map(({ text }) => text);
  expect(await said(first)).toEqual(['Three, Four, Five, Six']);
  expect(await said(second)).toEqual(['One, Two, Three, Four, +2']);
  expect(await said(third)).toEqual([null]);
});

test('customers without a language get the merchant’s, even if English is on', async () => {
  const scene = await createNoticeScene(database);
  await database.owner`update merchants set locale = 'ja-JP' where id = ${scene.merchant.id}`;
  await scene.turnOn('top-up-receipt', 'en', 'Thanks');
  await scene.turnOn('top-up-receipt', 'ja', 'ありがとう');
  const [customerId] = (await scene.addCustomers(1)) as [string];
  await scene.pay(customerId);
  await scene.send();
  expect(await scene.texts()).toEqual(['ありがとう']);
});
