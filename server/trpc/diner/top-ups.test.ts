import { expect, test } from 'vitest';
import { withMerchant } from '@/db/driver';
import { openSession } from '@/server/domain/identity/session';
import { newId } from '@/server/domain/kernel/ids';
import { topUpStage } from '@/server/testing/top-ups';
import { createCallerFactory } from './init';
import { dinerRouter } from './router';

const stage = topUpStage();
const createCaller = createCallerFactory(dinerRouter);

/** The procedures as a phone calls them: signed in as `customerId`, signed in without a customer, or signed out. */
async function callAs(merchantId: string, customerId: string | null | undefined) {
  const services = stage.services();
  const now = services.clock.now();
  const token =
    customerId === undefined
      ? null
      : await withMerchant(services.db, merchantId, (tx) => openSession(tx, { phone: '+6591230000', customerId, now }));
  const device = { read: () => undefined, write: () => {} };
  const session = { read: () => token, write: () => {}, clear: () => {}, device };
  return createCaller({ services, client: '203.0.113.7', tableToken: null, merchantId, session }).topUps;
}

test('a customer starts a top-up, views it and cancels it; no one else sees it', async () => {
  const { merchant, customer, packageId } = await stage.scene();
  const other = await stage.scene();
  const mine = await callAs(merchant.id, customer.id);
  expect(await mine.packages()).toMatchObject({ packages: [{ packageId }], methods: ['card', 'counter'] });
  const { topUpRequestId } = await mine.begin({ requestKey: newId(), packageId, method: 'counter' });
  const asked = { topUpRequestId };
  expect(await mine.get(asked)).toMatchObject({ state: 'open', amount: 10_000, credited: 12_000 });
  expect(await mine.check(asked)).toMatchObject({ state: 'open' });

  const strangers = [
    [await callAs(merchant.id, undefined), 'UNAUTHORIZED'],
    [await callAs(merchant.id, null), 'NOT_FOUND'],
    [await callAs(other.merchant.id, other.customer.id), 'NOT_FOUND'],
  ] as const;
  for (const [theirs, code] of strangers) {
    await expect(theirs.get(asked)).rejects.toMatchObject({ code });
    await expect(theirs.check(asked)).rejects.toMatchObject({ code });
    await expect(theirs.cancel(asked)).rejects.toMatchObject({ code });
    const begun = theirs.begin({ requestKey: newId(), packageId, method: 'counter' });
    await expect(begun).rejects.toMatchObject({ code });
  }
  expect(await mine.cancel(asked)).toMatchObject({ state: 'cancelled' });
});
