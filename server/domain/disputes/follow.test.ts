import { describe, expect, test } from 'vitest';
import { openPaidTable } from '@/server/testing/bill-payments';
import { createCustomer, createKey, recordingEvents } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { topUpStage } from '@/server/testing/top-ups';
import { authenticateKey } from '../access/authenticate';
import { followReport } from '../card-payments';
import { mergeCustomers } from '../customers/merge';
import { newId } from '../kernel/ids';
import { redeemStoredValue } from '../stored-value/redeem';
import { settleTopUp } from '../top-ups';
import { voidTransactions } from '../transactions/void';
import { previewVoid, voidByStaff } from '../transactions/void-by-staff';
import { acknowledgeDispute, listDisputesOf, listDisputesToAnswer } from './list';

const stage = topUpStage();

const eventsOf = async (merchantId: string) => {
  const rows = await stage.owner`
    select type, data->>'status' as status, data->>'cause' as cause from events
    where merchant_id = ${merchantId} and (type like 'dispute.%' or data->>'cause' is not null) order by xid, seq`;
  return rows.map(({ type, status, cause }) => [type, status ?? cause] as [string, string]);
};

/** Creates a credited top-up of 100.00 and 20.00 whose payer can dispute it, a till of the merchant, and a manager. */
async function createScene() {
  const scene = await stage.scene({ ...recordingEvents });
  const { ctx, merchant, customer, beginByCard } = scene;
  const { session, ...asked } = await beginByCard();
  stage.stripe.pay(session.id);
  await settleTopUp(ctx, asked);
  const [row] = await stage.owner`select transaction_uid from top_up_requests where id = ${asked.topUpRequestId}`;
  const till = await authenticateKey(ctx, await createKey(stage.owner, merchant.id, merchant.stores[0].id));
  const staff = await createStaff(stage.owner, ctx, merchant.id, 'manager');
  const report = {
    told: null,
    paymentId: session.intent?.id ?? '',
    accountId: null,
    checkoutId: undefined,
    isOfDispute: true,
  };
  const redeem = (amount: number) =>
    redeemStoredValue(till, { transactionId: newId(), customer: { customerId: customer.id }, amount });
  return {
    ...scene,
    asked,
    till,
    staff,
    session,
    uid: row?.transaction_uid as string,
    redeem,
    follow: () => followReport(ctx, report),
    toAnswer: () => listDisputesToAnswer(staff),
    ofCustomer: (customerId = customer.id) => listDisputesOf(staff, { customerId }),
    events: () => eventsOf(merchant.id),
  };
}

describe('a disputed top-up', () => {
  test('is blocked at once, and given back when the dispute is won', async () => {
    const { session, follow, balance, toAnswer, ofCustomer, uid, staff, redeem, events } = await createScene();
    stage.stripe.dispute(session.id);
    await Promise.all([follow(), follow(), follow()]);
    await follow();
    expect(await balance()).toEqual({ principal: 0, bonus: 0 });
    await expect(redeem(100)).rejects.toMatchObject({ code: 'insufficient_balance' });
    const [dispute] = await toAnswer();
    expect(dispute).toMatchObject({
      status: 'needs_response',
      reason: 'fraudulent',
      amount: 10_000,
      blocked: 12_000,
      spent: 0,
      customerName: 'Ada Tester',
      transactionUid: uid,
    });
    expect(Date.parse(dispute?.respondBy ?? '')).toBeGreaterThan(Date.now());
    const blockUid = dispute?.blockUid as string;
    expect(await listDisputesOf(staff, { transactionUid: blockUid })).toEqual([dispute]);
    // No button that could only be refused.
    expect(await callAs(staff).transactions.get({ uid: blockUid })).toMatchObject({
      type: 'adjustment',
      isVoidable: false,
    });
    expect(await callAs(staff).transactions.get({ uid })).toMatchObject({ isVoidable: false });

    stage.stripe.changeDispute(session.id, 'under_review');
    await follow();
    expect(await balance()).toEqual({ principal: 0, bonus: 0 });
    expect(await toAnswer()).toEqual([]);
    stage.stripe.changeDispute(session.id, 'won');
    await Promise.all([follow(), follow()]);
    expect(await balance()).toEqual({ principal: 10_000, bonus: 2_000 });
    expect(await ofCustomer()).toMatchObject([{ status: 'won', blocked: 0, spent: 0 }]);
    expect(await callAs(staff).transactions.get({ uid })).toMatchObject({ isVoidable: true });
    expect(await callAs(staff).transactions.get({ uid: blockUid })).toMatchObject({
      status: 'voided',
      void: { by: { kind: 'dispute' } },
    });
    expect(await events()).toEqual([
      ['balance.changed', 'dispute'],
      ['dispute.opened', 'needs_response'],
      ['balance.changed', 'dispute'],
      ['dispute.closed', 'won'],
    ]);
    await redeem(12_000);
    expect(await stage.ledgerViolations()).toEqual([]);
  });

  test('that was spent in part is owed once the dispute is lost, until staff have dealt with it', async () => {
    const { session, follow, balance, toAnswer, ofCustomer, staff, redeem, merchant } = await createScene();
    await redeem(5_000);
    stage.stripe.dispute(session.id);
    await follow();
    expect(await balance()).toEqual({ principal: 0, bonus: 0 });
    expect(await toAnswer()).toMatchObject([{ blocked: 7_000, spent: 3_000 }]);
    stage.stripe.changeDispute(session.id, 'lost');
    await follow();
    const [lost] = await toAnswer();
    expect(lost).toMatchObject({ status: 'lost', blocked: 7_000, spent: 3_000, isAcknowledged: false });
    const { disputeId } = lost as { disputeId: string };
    await Promise.all([acknowledgeDispute(staff, { disputeId }), acknowledgeDispute(staff, { disputeId })]);
    expect(await toAnswer()).toEqual([]);
    expect(await ofCustomer()).toMatchObject([{ status: 'lost', isAcknowledged: true }]);
    const audited = await stage.owner`
      select action, actor_kind from audit_log where merchant_id = ${merchant.id} and subject_kind = 'dispute' order by id`;
    expect([...audited]).toEqual([
      { action: 'dispute.needs_response', actor_kind: 'service' },
      { action: 'dispute.lost', actor_kind: 'service' },
      { action: 'dispute.acknowledge', actor_kind: 'staff' },
    ]);
    expect(await stage.ledgerViolations()).toEqual([]);
  });

  test('of which the payer wants a part back keeps the rest of what was paid, but no bonus', async () => {
    const { session, follow, balance } = await createScene();
    stage.stripe.dispute(session.id, { amount: 4_000 });
    await follow();
    expect(await balance()).toEqual({ principal: 6_000, bonus: 0 });
    stage.stripe.changeDispute(session.id, 'won');
    await follow();
    expect(await balance()).toEqual({ principal: 10_000, bonus: 2_000 });
  });

  test('is blocked again if a dispute that was won is taken up again', async () => {
    const { session, follow, balance, events } = await createScene();
    stage.stripe.dispute(session.id);
    for (const status of ['won', 'appeal_needs_response', 'lost'] as const) {
      stage.stripe.changeDispute(session.id, status);
      await follow();
    }
    expect(await balance()).toEqual({ principal: 0, bonus: 0 });
    expect((await events()).filter(([type]) => type !== 'balance.changed')).toEqual([
      ['dispute.closed', 'won'],
      ['dispute.opened', 'needs_response'],
      ['dispute.closed', 'lost'],
    ]);
    expect(await stage.ledgerViolations()).toEqual([]);
  });

  test('loses its value once if it is redeemed at the same moment', async () => {
    const { session, follow, redeem, balance, ofCustomer } = await createScene();
    stage.stripe.dispute(session.id);
    const [redeemed] = await Promise.allSettled([redeem(12_000), follow(), follow()]);
    expect(await balance()).toEqual({ principal: 0, bonus: 0 });
    const isSpent = redeemed.status === 'fulfilled';
    expect(await ofCustomer()).toMatchObject([isSpent ? { blocked: 0, spent: 10_000 } : { blocked: 12_000, spent: 0 }]);
    expect(await stage.ledgerViolations()).toEqual([]);
  });

  test('that is refunded after an inquiry is voided, with what was blocked', async () => {
    const { session, follow, balance, ctx, asked, ofCustomer } = await createScene();
    stage.stripe.dispute(session.id, { status: 'warning_needs_response' });
    await follow();
    expect(await balance()).toEqual({ principal: 0, bonus: 0 });
    stage.stripe.refund(session.id);
    await settleTopUp(ctx, asked);
    stage.stripe.changeDispute(session.id, 'warning_closed');
    await follow();
    expect(await balance()).toEqual({ principal: 0, bonus: 0 });
    expect(await ofCustomer()).toMatchObject([{ status: 'won', blocked: 0, spent: 0 }]);
    const [row] = await stage.owner`select state, alerted_at from top_up_requests where id = ${asked.topUpRequestId}`;
    expect(row).toEqual({ state: 'refunded', alerted_at: null });
    expect(await stage.ledgerViolations()).toEqual([]);
  });

  test('is blocked where a merge has moved it, and given back there', async () => {
    const { session, follow, customer, staff, merchant, ofCustomer } = await createScene();
    const kept = await createCustomer(stage.owner, merchant.id);
    const owner = await createStaff(stage.owner, staff, merchant.id, 'owner');
    await mergeCustomers(owner, { keptId: kept.id, mergedId: customer.id });
    stage.stripe.dispute(session.id);
    await follow();
    const held = async () => {
      const [row] = await stage.owner`select principal::int, bonus::int from balances where customer_id = ${kept.id}`;
      return row;
    };
    expect(await held()).toEqual({ principal: 0, bonus: 0 });
    expect(await ofCustomer(kept.id)).toMatchObject([{ customerId: kept.id, blocked: 12_000, spent: 0 }]);
    stage.stripe.changeDispute(session.id, 'won');
    await follow();
    expect(await held()).toEqual({ principal: 10_000, bonus: 2_000 });
    expect(await stage.ledgerViolations()).toEqual([]);
  });

  test('can be unblocked by nobody but the bank', async () => {
    const { session, follow, staff, toAnswer, uid } = await createScene();
    stage.stripe.dispute(session.id);
    await follow();
    const [dispute] = await toAnswer();
    for (const one of [dispute?.blockUid as string, uid]) {
      const { effect } = await previewVoid(staff, { uids: [one] });
      await expect(voidByStaff(staff, { uids: [one], reason: 'x', effect } as never)).rejects.toMatchObject({
        code: 'void_refused',
      });
    }
  });

  test('takes what comes back of it later, too', async () => {
    const { session, follow, till, redeem, balance, ofCustomer } = await createScene();
    const { transactionId } = await redeem(5_000);
    stage.stripe.dispute(session.id);
    await follow();
    await voidTransactions(till, { transactionIds: [transactionId] });
    expect(await balance()).toEqual({ principal: 0, bonus: 0 });
    expect(await ofCustomer()).toMatchObject([{ blocked: 12_000, spent: 0 }]);
    stage.stripe.changeDispute(session.id, 'won');
    await follow();
    expect(await balance()).toEqual({ principal: 10_000, bonus: 2_000 });
    expect(await stage.ledgerViolations()).toEqual([]);
  });
});

test('a disputed payment of a bill is shown to staff of its store, and changes nothing on the bill', async () => {
  const { pay, look, merchant, services } = await openPaidTable(stage, 1_000, { settings: { ...recordingEvents } });
  const { session, paymentId } = await pay();
  const before = await look();
  stage.stripe.dispute(session.id);
  const report = {
    told: null,
    paymentId: session.intent?.id ?? '',
    accountId: null,
    checkoutId: undefined,
    isOfDispute: true,
  };
  await Promise.all([followReport(services, report), followReport(services, report)]);
  expect(await look()).toEqual(before);
  const [north, south] = merchant.stores;
  const here = await createStaff(stage.owner, services, merchant.id, 'manager', [north.id]);
  const [dispute] = await listDisputesToAnswer(here);
  expect(dispute).toMatchObject({
    paymentId,
    billId: before.billId,
    customerId: null,
    amount: 1_000,
    blocked: 0,
    spent: 0,
  });
  expect(await listDisputesOf(here, { billUid: dispute?.billUid ?? '' })).toEqual([dispute]);
  const elsewhere = await createStaff(stage.owner, services, merchant.id, 'manager', [south.id]);
  expect(await listDisputesToAnswer(elsewhere)).toEqual([]);
  expect(await eventsOf(merchant.id)).toEqual([['dispute.opened', 'needs_response']]);
});
