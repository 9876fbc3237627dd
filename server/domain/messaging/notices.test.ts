/** Notices, from the event to the sandbox's inbox: their content, recipients, times and number. */
import { describe, expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { refusalOf } from '@/server/testing/menu';
import { createNoticeScene, silentMessenger } from '@/server/testing/notices';
import { callAs, createStaff } from '@/server/testing/staff';
import { eraseCustomer } from '../customers/erase';
import { say } from '../kernel/say';
import { remindOfExpiry } from './remind';
import { beginSending, sendNotices } from './send-notices';

const database = ownDatabase();

type Settings = Parameters<typeof createNoticeScene>[1];
const createScene = (settings?: Settings) => createNoticeScene(database, settings);

const one = async ({ addCustomers }: { addCustomers: (count: number) => Promise<string[]> }) =>
  (await addCustomers(1)) as [string];

describe('content', () => {
  test('nothing is sent until the merchant turns it on', async () => {
    const scene = await createScene();
    const [customerId] = await one(scene);
    await scene.pay(customerId);
    await scene.issueTo(await scene.addCampaign({ validityDays: 3 }), [customerId]);
    await remindOfExpiry(scene.services);
    expect(await scene.rows()).toEqual([]);
  });

  test('a top-up, with the credited amount and the balance after it', async () => {
    const scene = await createScene();
    await scene.turnOn('top-up-receipt');
    const [customerId] = await one(scene);
    await scene.pay(customerId);
    await scene.pay(customerId);
    await scene.send();
    const begin = 'Thank you, Ada. $120.00 was added to your balance with Test Kitchen, of which $20.00 is a bonus.';
    expect((await scene.texts()).toSorted()).toEqual([
      `${begin} Balance after this top-up: $120.00.`,
      `${begin} Balance after this top-up: $240.00.`,
    ]);
    expect((await scene.list())[0]).toMatchObject({ kind: 'top-up-receipt', customerId, state: 'inbox', code: null });
  });

  test('a voucher, with its code and last day in the merchant’s time zone; also one without an end', async () => {
    const scene = await createScene();
    await scene.turnOn('voucher-issued', 'en', '{voucher} {code} {until}');
    const [customerId] = await one(scene);
    const campaigns = [await scene.addCampaign({ validityDays: 3 }), await scene.addCampaign()] as const;
    for (const campaignId of campaigns) await scene.issueTo(campaignId, [customerId]);
    await scene.send();
    const [until, endless] = await Promise.all(campaigns.map((id) => scene.vouchersOf(id)));
    const code = (voucher?: { voucher_code: string }) =>
      `${voucher?.voucher_code.slice(0, 5)}-${voucher?.voucher_code.slice(5)}`;
    expect((await scene.texts()).toSorted()).toEqual(
      [`Five off ${code(until?.[0])} 23 November 2026`, `Five off ${code(endless?.[0])} further notice`].toSorted(),
    );
  });

  test('bonus and vouchers that end on the same day, once and together, on the seventh day before', async () => {
    const scene = await createScene();
    await scene.turnOn('value-expiring', 'en', '{value} / {date}');
    const [customerId] = await one(scene);
    await scene.pay(customerId);
    await scene.pay(customerId);
    await scene.issueTo(await scene.addCampaign({ validUntil: '2026-12-20' }), [customerId]);
    scene.moveTo('2026-12-12T15:59:00Z');
    await remindOfExpiry(scene.services);
    expect(await scene.rows()).toEqual([]);
    scene.moveTo('2026-12-12T16:00:00Z');
    await Promise.all([1, 2, 3].map(() => remindOfExpiry(scene.services)));
    await remindOfExpiry(scene.services);
    await scene.send();
    expect(await scene.texts()).toEqual(['$40.00, Five off / 20 December 2026']);
  });

  test('a late run covers what has not expired yet; later days repeat nothing', async () => {
    const scene = await createScene();
    await scene.turnOn('value-expiring');
    const customers = await scene.addCustomers(3);
    const days = ['2026-11-22', '2026-11-25', '2026-12-03'];
    for (const [at, validUntil] of days.entries()) {
      await scene.issueTo(await scene.addCampaign({ validUntil }), [customers[at] as string]);
    }
    scene.moveTo('2026-11-24T04:00:00Z');
    await remindOfExpiry(scene.services);
    expect((await scene.rows()).map((row) => row.customer_id)).toEqual([customers[1]]);
    for (const day of ['24', '25', '26', '27', '28']) {
      scene.moveTo(`2026-11-${day}T10:00:00Z`);
      await remindOfExpiry(scene.services);
    }
    expect((await scene.rows()).map((row) => row.customer_id)).toEqual([customers[1], customers[2]]);
  });

  test('a killed run is continued: everyone is told once', async () => {
    const scene = await createScene();
    await scene.turnOn('value-expiring');
    const customers = await scene.addCustomers(5);
    await scene.issueTo(await scene.addCampaign({ validityDays: 5 }), customers);
    await database.owner`
      insert into messages (merchant_id, id, customer_id, kind, channel, subject, due_at)
      select ${scene.merchant.id}, gen_random_uuid(), customer_id, 'value-expiring', 'whatsapp',
        to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), now()
      from vouchers where merchant_id = ${scene.merchant.id} order by customer_id limit 2`;
    await remindOfExpiry(scene.services);
    expect((await scene.rows()).map((row) => row.customer_id).toSorted()).toEqual(customers.toSorted());
  });

  test('nothing is sent that no longer applies', async () => {
    const scene = await createScene();
    await scene.turnOn('top-up-receipt');
    await scene.turnOn('voucher-issued');
    const [customerId] = await one(scene);
    await scene.pay(customerId);
    await database.owner`
      update transactions set status = 'voided', voided_at = now() where merchant_id = ${scene.merchant.id}`;
    const campaignId = await scene.addCampaign();
    await scene.issueTo(campaignId, [customerId]);
    await database.owner`update vouchers set cancelled_at = now() where campaign_id = ${campaignId}`;
    await scene.send();
    expect((await scene.list()).map(({ state, failure }) => [state, failure])).toEqual(
      Array(2).fill(['failed', say('notSoAnyMore')]),
    );
    // No one has to resolve it.
    const { failedMessages } = await (await scene.call()).home.attention();
    expect(failedMessages).toBe(0);
  });
});

describe('language', () => {
  test('is the customer’s, else the merchant’s, else one that is on', async () => {
    const scene = await createScene();
    const [zh, ja, nobodyKnows] = (await scene.addCustomers(3)) as [string, string, string];
    await database.owner`update customers set language = 'zh' where id = ${zh}`;
    await database.owner`update customers set language = 'ja' where id = ${ja}`;
    await scene.turnOn('top-up-receipt', 'zh', '谢谢 {amount}');
    for (const customerId of [zh, ja]) await scene.pay(customerId);
    await scene.send();
    expect(await scene.texts()).toEqual(['谢谢 $120.00', '谢谢 $120.00']);
    await scene.turnOn('top-up-receipt', 'en', 'Thanks {amount}');
    for (const customerId of [zh, ja, nobodyKnows]) await scene.pay(customerId);
    await scene.send();
    const said = async (customerId: string) =>
      (await (await scene.call()).messages.list({ customerId })).items.map(({ text }) => text).toSorted();
    expect(await said(zh)).toEqual(['谢谢 $120.00', '谢谢 $120.00']);
    expect(await said(ja)).toEqual(['Thanks $120.00', '谢谢 $120.00']);
    expect(await said(nobodyKnows)).toEqual(['Thanks $120.00']);
  });
});

describe('recipients', () => {
  test('exclude customers who opted out, before or since, and include them again after opting in', async () => {
    const scene = await createScene();
    await scene.turnOn('voucher-issued');
    const [customerId] = await one(scene);
    const campaignId = await scene.addCampaign();
    const { customers } = await scene.call();
    await scene.issueTo(campaignId, [customerId]);
    await customers.setMessages({ customerId, wantsMessages: false });
    expect((await customers.get({ customerId })).wantsMessages).toBe(false);
    await scene.issueTo(campaignId, [customerId]);
    await scene.send();
    const dropped = { state: 'failed', failure: say('wantsNoMessages') };
    expect(await scene.list()).toMatchObject([dropped]);
    await customers.setMessages({ customerId, wantsMessages: true });
    await scene.issueTo(campaignId, [customerId]);
    await scene.send();
    const failures = (await scene.list()).map(({ state, failure }) => `${state} ${failure?.key ?? null}`).toSorted();
    expect(failures).toEqual(['failed wantsNoMessages', 'inbox null']);
    const audited = await database.owner`
      select after from audit_log where subject_id = ${customerId} and action = 'customer.messages' order by id`;
    expect(audited.map(({ after }) => JSON.parse(after).wantsMessages).toSorted()).toEqual([false, true]);
  });

  test('of a top-up include who opted out, at once and at night: somebody pays into their account', async () => {
    const scene = await createScene({ at: '2026-11-20T14:00:00Z', quiet: true });
    await scene.turnOn('top-up-receipt');
    const [customerId] = await one(scene);
    const { customers } = await scene.call();
    await scene.pay(customerId);
    await customers.setMessages({ customerId, wantsMessages: false });
    await scene.pay(customerId);
    await scene.send();
    expect((await scene.list()).map(({ kind, state }) => `${kind} ${state}`)).toEqual(
      Array(2).fill('top-up-receipt inbox'),
    );
  });

  test('exclude customers without a phone, and erased ones', async () => {
    const scene = await createScene();
    await scene.turnOn('top-up-receipt');
    const [phoneless, erased] = (await scene.addCustomers(2)) as [string, string];
    await database.owner`update customers set phone = null where id = ${phoneless}`;
    for (const customerId of [phoneless, erased]) await scene.pay(customerId);
    await eraseCustomer(await scene.staff(), { customerId: erased });
    await scene.send();
    expect(await scene.list()).toMatchObject([{ customerId: erased, state: 'failed', text: null }]);
  });

  test('are of one merchant only, whatever the subject', async () => {
    const [scene, other] = [await createScene(), await createScene()];
    await scene.turnOn('top-up-receipt');
    const [customerId] = await one(scene);
    await scene.pay(customerId);
    await sendNotices(other.services, silentMessenger, other.merchant.id);
    expect((await scene.rows())[0]?.state).toBe('queued');
    expect(await other.list()).toEqual([]);
    const refusal = await refusalOf((await other.call()).customers.setMessages({ customerId, wantsMessages: false }));
    expect(refusal.code).toBe('customer_not_found');
    expect((await (await other.call()).messages.templates()).templates.some(({ isOn }) => isOn)).toBe(false);
  });
});

describe('time', () => {
  const night = '2026-11-20T14:00:00Z';
  const morning = '2026-11-21T01:00:00Z';

  test('is after quiet hours', async () => {
    const scene = await createScene({ at: night, quiet: true });
    await scene.turnOn('voucher-issued');
    await scene.issueTo(await scene.addCampaign(), await one(scene));
    await scene.send();
    expect(await scene.rows()).toMatchObject([{ state: 'queued', due_at: new Date(morning) }]);
    scene.moveTo('2026-11-21T00:59:59Z');
    await scene.send();
    expect(await scene.rows()).toMatchObject([{ state: 'queued' }]);
    scene.moveTo(morning);
    await scene.send();
    expect(await scene.rows()).toMatchObject([{ state: 'inbox' }]);
  });

  test('respects quiet hours set since; a PIN does not wait', async () => {
    const scene = await createScene({ at: night });
    await scene.turnOn('voucher-issued');
    const [customerId] = await one(scene);
    await scene.issueTo(await scene.addCampaign(), [customerId]);
    await (await scene.call()).messages.setQuietHours({ quietHours: { from: '22:00', until: '08:30' } });
    await (await scene.call()).customers.resetPin({ customerId });
    await scene.send();
    expect((await scene.rows()).map(({ kind, state }) => `${kind} ${state}`).toSorted()).toEqual([
      'pin inbox',
      'voucher-issued queued',
    ]);
  });
});

describe('rate', () => {
  test('several senders send each notice once; one taken and not sent is sent after its lease', async () => {
    const scene = await createScene();
    await scene.turnOn('voucher-issued');
    const customers = await scene.addCustomers(12);
    await scene.issueTo(await scene.addCampaign(), customers);
    const [taken] = await scene.rows();
    await database.owner`update messages set due_at = '2026-11-20T04:02:00Z' where id = ${taken?.id}`;
    await Promise.all([1, 2, 3, 4].map(() => scene.send()));
    const states = async () => (await scene.rows()).map(({ state, attempts }) => `${state} ${attempts}`).toSorted();
    expect(await states()).toEqual([...Array(11).fill('inbox 1'), 'queued 0']);
    scene.moveTo('2026-11-20T04:02:00Z');
    await scene.send();
    expect(await states()).toEqual(Array(12).fill('inbox 1'));
  });

  test('a merchant’s limit per minute is sent, and the rest in the next minute', async () => {
    const scene = await createScene();
    await scene.turnOn('voucher-issued');
    await scene.issueTo(await scene.addCampaign(), await scene.addCustomers(8));
    await scene.send();
    const { owner } = database;
    await owner`update messages set state = 'queued', secret = null, due_at = '2026-11-20T04:00:00Z'
      where merchant_id = ${scene.merchant.id}`;
    // As if 595 had been sent by now.
    await owner`update throttles set attempts = 595 where attempts = 8`;
    await scene.send();
    const sent = async () => (await scene.rows()).filter(({ state }) => state === 'inbox').length;
    expect(await sent()).toBe(5);
    await scene.send();
    expect(await sent()).toBe(5);
    scene.moveTo('2026-11-20T04:01:00Z');
    await scene.send();
    expect(await sent()).toBe(8);
  });

  test('one job is queued per merchant with due notices', async () => {
    const scene = await createScene();
    await scene.turnOn('voucher-issued');
    const jobs = () => database.owner`
      select from graphile_worker.jobs where key = ${`notices ${scene.merchant.id}`}`;
    await beginSending(scene.services);
    expect(await jobs()).toHaveLength(0);
    await scene.issueTo(await scene.addCampaign(), await scene.addCustomers(2));
    await beginSending(scene.services);
    await beginSending(scene.services);
    expect(await jobs()).toHaveLength(1);
  });
});

test('a row holds only the recipient, kind and subject; opening it reveals nothing to a cashier', async () => {
  const scene = await createScene();
  await scene.turnOn('voucher-issued');
  const [customerId] = await one(scene);
  await scene.issueTo(await scene.addCampaign(), [customerId]);
  await scene.send();
  const [row] = await database.owner`
    select to_jsonb(m)::text as row from messages m where merchant_id = ${scene.merchant.id}`;
  for (const personal of ['Ada', '+65', 'Five off', 'example.com']) expect(row?.row).not.toContain(personal);
  const cashier = callAs(await createStaff(database.owner, scene.services, scene.merchant.id, 'cashier'));
  expect((await cashier.messages.list({ customerId })).items).toMatchObject([
    { state: 'inbox', text: null, code: null },
  ]);
});
