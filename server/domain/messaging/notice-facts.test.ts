/** A notice's facts are true when it is sent, in the reader's language, and in the merchant's time. */
import { describe, expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { createNoticeScene } from '@/server/testing/notices';
import { newId } from '../kernel/ids';
import { say } from '../kernel/say';
import { remindOfExpiry, remindOfExpiryOf } from './remind';

const database = ownDatabase();

type Scene = Awaited<ReturnType<typeof createNoticeScene>>;
const createScene = (settings?: Parameters<typeof createNoticeScene>[1]) => createNoticeScene(database, settings);
const failuresOf = async (scene: Scene) => (await scene.list()).map(({ state, failure }) => [state, failure]);
const notSo = ['failed', say('notSoAnyMore')];

test('customers are told of their own bonus, and not of points', async () => {
  const scene = await createScene();
  await scene.turnOn('value-expiring', 'en', '{value}');
  const [ada, ben] = (await scene.addCustomers(2)) as [string, string];
  for (const customerId of [ada, ada, ben]) await scene.pay(customerId);
  const points = { part: 'points' as const, direction: 'add' as const, amount: 500, reason: 'A present' };
  await scene
    .call()
    .then(({ customers }) =>
      customers.adjust({ ...points, customerId: ben, adjustmentId: newId(), expiresOn: '2026-12-20' }),
    );
  scene.moveTo('2026-12-13T04:00:00Z');
  await remindOfExpiry(scene.services);
  await scene.send();
  const said = async (customerId: string) =>
    (await (await scene.call()).messages.list({ customerId })).items.map(({ text }) => text);
  expect([await said(ada), await said(ben)]).toEqual([['$40.00'], ['$20.00']]);
});

test('a last day follows the merchant’s clock, also west of Greenwich', async () => {
  const scene = await createScene({ time_zone: 'America/New_York', at: '2026-11-20T17:00:00Z' });
  await scene.turnOn('voucher-issued', 'en', 'new until {until}');
  await scene.turnOn('value-expiring', 'en', 'ends on {date}');
  await scene.issueTo(await scene.addCampaign({ validityDays: 3 }), await scene.addCustomers(1));
  await remindOfExpiry(scene.services);
  await scene.send();
  expect((await scene.texts()).toSorted()).toEqual(['ends on 23 November 2026', 'new until 23 November 2026']);
});

describe('what has ended while its notice waited is not sent', () => {
  test('a voucher', async () => {
    const scene = await createScene();
    await scene.turnOn('voucher-issued');
    await scene.issueTo(await scene.addCampaign({ validityDays: 1 }), await scene.addCustomers(1));
    scene.moveTo('2026-11-23T04:00:00Z');
    await scene.send();
    expect(await failuresOf(scene)).toEqual([notSo]);
  });

  test('bonus, also if it is not written off yet', async () => {
    const scene = await createScene();
    await scene.turnOn('value-expiring');
    const [customerId] = (await scene.addCustomers(1)) as [string];
    await scene.pay(customerId);
    scene.moveTo('2026-12-19T04:00:00Z');
    await remindOfExpiry(scene.services);
    scene.moveTo('2026-12-21T04:00:00Z');
    await scene.send();
    expect(await failuresOf(scene)).toEqual([notSo]);
  });
});

describe('a kind that is turned off', () => {
  test('is not sent, even if it was queued', async () => {
    const scene = await createScene();
    await scene.turnOn('top-up-receipt');
    const [customerId] = (await scene.addCustomers(1)) as [string];
    await scene.pay(customerId);
    await scene.turnOff('top-up-receipt');
    await scene.send();
    expect(await failuresOf(scene)).toEqual([['failed', say('kindSwitchedOff')]]);
  });

  test('in one language is sent in another', async () => {
    const scene = await createScene();
    await scene.turnOn('top-up-receipt', 'zh', '谢谢');
    await scene.turnOff('top-up-receipt', 'zh');
    await scene.turnOn('top-up-receipt', 'en', 'Thanks');
    const [customerId] = (await scene.addCustomers(1)) as [string];
    await database.owner`update customers set language = 'zh' where id = ${customerId}`;
    await scene.pay(customerId);
    await scene.send();
    expect(await scene.texts()).toEqual(['Thanks']);
  });

  test('marks no one as reminded: turned on, it sends reminders', async () => {
    const scene = await createScene();
    await scene.issueTo(await scene.addCampaign({ validityDays: 3 }), await scene.addCustomers(1));
    const remind = () => remindOfExpiryOf(scene.services, { merchantId: scene.merchant.id });
    expect(await remind()).toBe(0);
    await scene.turnOn('value-expiring');
    expect(await remind()).toBe(1);
  });
});
