/** A merchant that was exported to live elsewhere settles no payment here any more. */
import { describe, expect, test } from 'vitest';
import { queriesOn } from '@/db/driver';
import { openPaidTable } from '@/server/testing/bill-payments';
import { topUpStage } from '@/server/testing/top-ups';
import { settleBillPayment, settleOverdueBillPayments } from '../bills/settle';
import { closeMerchant, ensureAtHome, hasLeft } from '../merchants';
import { settleOverdueTopUps } from '../top-ups';
import { settleTopUp } from '../top-ups/settle';
import { endCheckouts, markLeft, takeBack } from '.';

const stage = topUpStage();
const named = ({ id }: { id: string }) => ({ id, name: 'Kopi' });
const close = ({ id }: { id: string }) => closeMerchant(queriesOn(stage.owner), id, new Date());
const end = (merchant: { id: string }) => endCheckouts(queriesOn(stage.owner), stage.services(), named(merchant));
const stateOf = async (id: string) => (await stage.owner`select state from top_up_requests where id = ${id}`)[0]?.state;

describe('before it leaves', () => {
  test('its open checkouts are ended, and nobody can pay there any more', async () => {
    const { merchant, beginByCard, begin } = await stage.scene();
    const { topUpRequestId, session } = await beginByCard();
    const counter = await begin({ method: 'counter' });
    await close(merchant);
    await end(merchant);
    expect([await stateOf(topUpRequestId), session.status]).toEqual(['cancelled', 'expired']);
    expect(await stateOf(counter.topUpRequestId)).toBe('open');
  });

  test('what was paid and not settled goes back, of top-ups and of bills', async () => {
    const { merchant, beginByCard, balance } = await stage.scene();
    const { topUpRequestId, session } = await beginByCard();
    stage.stripe.pay(session.id);
    const table = await openPaidTable(stage, 1_000);
    const [held, paid] = [await table.begin({ amount: 400 }), await table.begin({ amount: 600 })];
    stage.stripe.pay(paid.session.id);
    await Promise.all([merchant, table.merchant].map(close));
    await Promise.all([merchant, table.merchant].map(end));
    expect([await stateOf(topUpRequestId), session.amountRefunded]).toEqual(['refunded', 10_000]);
    expect(await balance()).toMatchObject({ principal: 0 });
    expect([held.session.status, paid.session.amountRefunded]).toEqual(['expired', 600]);
    expect(await table.money()).toEqual({ atStripe: 0, kept: 0, owed: 0 });
  });

  test('it must be closed, and no bank may be undecided', async () => {
    const { merchant, beginByCard } = await stage.scene();
    const { session } = await beginByCard();
    await expect(end(merchant)).rejects.toThrow('Kopi is open: close it first (merchant close).');
    await close(merchant);
    stage.stripe.pay(session.id, 'processing');
    await expect(end(merchant)).rejects.toThrow('1 card payments of Kopi are not decided yet');
  });
});

test('after it has left, no event and no worker touches its payments, until it is taken back', async () => {
  const { merchant, beginByCard } = await stage.scene();
  const { topUpRequestId, session } = await beginByCard();
  const table = await openPaidTable(stage, 1_000);
  const onBill = await table.begin();
  const db = queriesOn(stage.owner);
  const left = [merchant, table.merchant];
  for (const one of left) {
    await close(one);
    await markLeft(db, one.id, new Date());
  }
  // Where the merchant lives, the payer's payment is credited.
  for (const { id } of [session, onBill.session]) stage.stripe.pay(id);
  const services = stage.services();
  const ofTopUp = { merchantId: merchant.id, topUpRequestId };
  const ofBill = { merchantId: table.merchant.id, billPaymentId: onBill.paymentId };
  await expect(settleTopUp(services, ofTopUp)).rejects.toMatchObject({ code: 'LM001' });
  await expect(settleBillPayment(services, ofBill)).rejects.toMatchObject({ code: 'LM001' });
  stage.travel(3_600_000);
  await settleOverdueTopUps(stage.services());
  await settleOverdueBillPayments(stage.services());
  expect([session.amountRefunded, onBill.session.amountRefunded]).toEqual([0, 0]);
  expect(await stateOf(topUpRequestId)).toBe('open');
  expect(await Promise.all(left.map(({ id }) => hasLeft(services, id)))).toEqual([true, true]);
  await expect(ensureAtHome(db, named(merchant))).rejects.toThrow('Kopi was exported to live elsewhere');
  expect(await takeBack(db, merchant.id)).toBe(true);
  await ensureAtHome(db, named(merchant));
  await settleTopUp(stage.services(), ofTopUp);
  expect([await stateOf(topUpRequestId), session.amountRefunded]).toEqual(['refunded', 10_000]);
});
