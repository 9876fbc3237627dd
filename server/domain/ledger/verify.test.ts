/** Each ledger rule detects the tampering that it is meant for, and names the row. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { createCustomer, createFixedPackage, createMerchant, testServices } from '@/server/testing/factory';
import { authenticateKey } from '../access/authenticate';
import type { PosContext } from '../kernel/context';
import { newId } from '../kernel/ids';
import { submitSale } from '../sales/submit';
import { redeemStoredValue } from '../stored-value/redeem';
import { topUp } from '../top-ups/top-up';
import { voidTransactions } from '../transactions/void';
import { ledgerRules, verifyLedger } from './verify';

const balanceIsLots = 'a balance is the sum of what remains in the lots';
const balanceIsEntries = 'a balance is the sum of its entries';
const lotIsEntries = 'what remains in a lot is the sum of its entries';
const lotIsGranted = 'a lot grants what the entries of its own transaction say';
const lotsAddUp = 'the lots of a completed top-up or sale add up to its entries and to what refunds took';
const refundsTook =
  'a completed sale owes at most the points that refunds took, and these are its share of what it earned';
const entryIsOfLot = 'an entry has the customer and the part of its lot';
const entryIsOfTransaction = 'an entry has the customer of its transaction, or one of the same merge';
const voidedCancels = 'the entries of a voided transaction cancel out, but for recorded shortfalls';
const onlyVoidedOwe = 'only a voided sale or adjustment, or a refunded sale, owes points';
const refusedMovesNothing = 'a refused transaction, and an id voided unseen, move nothing';
const amountIsEntries = 'a completed top-up or redemption has entries that add up to its amount';
const everyoneHasBalance = 'every customer has a balance';

interface Ledger {
  merchantId: string;
  ctx: PosContext;
  customerId: string;
  otherCustomerId: string;
  /** A top-up of 10.00 and 2.00 bonus. */
  topUpUid: string;
  /** A redemption of 3.00: all the bonus and some of the principal. */
  redeemUid: string;
  /** A sale that earned 10 points. */
  saleUid: string;
  bonusLotId: string;
  principalLotId: string;
  pointsLotId: string;
}

const database = ownDatabase();
let right: Ledger;
const found = new Set<string>();

/** A merchant's valid ledger: topped up, redeemed, sold, redeemed and voided, refused, and an id voided before use. */
beforeEach(async () => {
  const { owner, db } = database;
  const merchant = await createMerchant(owner);
  const packageId = await createFixedPackage(owner, merchant.id, {
    amount: 1_000,
    bonus: 200,
    bonus_expires_in_days: 9,
  });
  const [{ id: customerId }, other] = [
    await createCustomer(owner, merchant.id),
    await createCustomer(owner, merchant.id),
  ];
  const ctx = await authenticateKey(testServices(db), merchant.stores[0].key);
  const customer = { customerId };
  await topUp(ctx, { transactionId: 'top-up', customer, packageId });
  await redeemStoredValue(ctx, { transactionId: 'redeem', customer, amount: 300 });
  const bill = { subtotal: 1_000, discount: 0, serviceCharge: 0, tax: 0, total: 1_000 };
  await submitSale(ctx, {
    transactionId: 'sold',
    customer,
    closedAt: new Date().toISOString(),
    ...bill,
    lines: [{ plu: 'A', name: 'A', quantity: 1, unitPrice: 1_000, amount: 1_000 }],
    payments: [{ method: 'cash', amount: 1_000 }],
  });
  await redeemStoredValue(ctx, { transactionId: 'voided', customer, amount: 50 });
  await voidTransactions(ctx, { transactionIds: ['voided', 'unseen'] });
  await expect(redeemStoredValue(ctx, { transactionId: 'refused', customer, amount: 9_999 })).rejects.toThrow();
  const uids = await owner`select transaction_id, uid from transactions where merchant_id = ${merchant.id}`;
  const uidOf = (id: string): string => uids.find(({ transaction_id }) => transaction_id === id)?.uid;
  const lots = await owner`select id, part from lots where merchant_id = ${merchant.id}`;
  const lotOf = (part: string): string => lots.find((lot) => lot.part === part)?.id;
  right = {
    merchantId: merchant.id,
    ctx,
    customerId,
    otherCustomerId: other.id,
    topUpUid: uidOf('top-up'),
    redeemUid: uidOf('redeem'),
    saleUid: uidOf('sold'),
    bonusLotId: lotOf('bonus'),
    principalLotId: lotOf('principal'),
    pointsLotId: lotOf('points'),
  };
});

/** Breaks rows within a transaction that is rolled back, so that other tests are not affected. */
async function findings(): Promise<Record<string, string[]>> {
  const byRule: Record<string, string[]> = {};
  for (const { rule, merchantId, subject } of await verifyLedger(database.owner)) {
    if (merchantId !== right.merchantId) continue;
    byRule[rule] = [...(byRule[rule] ?? []), subject];
    found.add(rule);
  }
  return byRule;
}

let wasRightBefore: Record<string, string[]>;
beforeEach(async () => {
  wasRightBefore = await findings();
});
afterEach(() => expect(wasRightBefore).toEqual({}));

test('a balance that gained from nowhere', async () => {
  await database.owner`update balances set bonus = bonus + 1 where customer_id = ${right.customerId}`;
  expect(await findings()).toEqual({ [balanceIsLots]: [right.customerId], [balanceIsEntries]: [right.customerId] });
});

test.each(['principal', 'points'])('a balance of %s where there is no lot and no entry', async (part) => {
  await database.owner`update balances set ${database.owner({ [part]: 5 })} where customer_id = ${right.otherCustomerId}`;
  const subjects = [right.otherCustomerId];
  expect(await findings()).toEqual({ [balanceIsLots]: subjects, [balanceIsEntries]: subjects });
});

test('a lot that lost value', async () => {
  await database.owner`update lots set remaining = remaining - 1 where id = ${right.principalLotId}`;
  expect(await findings()).toEqual({ [balanceIsLots]: [right.customerId], [lotIsEntries]: [right.principalLotId] });
});

test('a balance and its lot, changed alike, without an entry', async () => {
  await database.owner`update lots set remaining = remaining - 1 where id = ${right.principalLotId}`;
  await database.owner`update balances set principal = principal - 1 where customer_id = ${right.customerId}`;
  expect(await findings()).toEqual({ [balanceIsEntries]: [right.customerId], [lotIsEntries]: [right.principalLotId] });
});

test('an entry that vanished', async () => {
  await database.owner`
    delete from ledger_entries where transaction_uid = ${right.redeemUid} and lot_id = ${right.principalLotId}`;
  expect(await findings()).toEqual({
    [balanceIsEntries]: [right.customerId],
    [lotIsEntries]: [right.principalLotId],
    [amountIsEntries]: [right.redeemUid],
  });
});

test('an entry that was moved to another customer', async () => {
  const [entry] = await database.owner`
    update ledger_entries set customer_id = ${right.otherCustomerId}
    where transaction_uid = ${right.redeemUid} and lot_id = ${right.bonusLotId} returning id`;
  expect(await findings()).toEqual({
    [balanceIsEntries]: expect.arrayContaining([right.customerId, right.otherCustomerId]),
    [entryIsOfLot]: [entry?.id],
    [entryIsOfTransaction]: [entry?.id],
  });
});

test('an entry of the wrong part', async () => {
  const [entry] = await database.owner`
    update ledger_entries set part = 'points'
    where transaction_uid = ${right.redeemUid} and lot_id = ${right.bonusLotId} returning id`;
  expect(await findings()).toMatchObject({ [entryIsOfLot]: [entry?.id], [balanceIsEntries]: [right.customerId] });
});

test('a lot that claims a larger grant', async () => {
  await database.owner`update lots set granted = granted + 1 where id in ${database.owner([right.bonusLotId, right.pointsLotId])}`;
  expect(await findings()).toEqual({
    [lotIsGranted]: expect.arrayContaining([right.bonusLotId, right.pointsLotId]),
    [lotsAddUp]: expect.arrayContaining([right.topUpUid, right.saleUid]),
  });
});

test('a lot that belongs to another transaction', async () => {
  await database.owner`update lots set transaction_uid = ${right.redeemUid} where id = ${right.bonusLotId}`;
  expect(await findings()).toEqual({
    [lotIsGranted]: [right.bonusLotId, right.bonusLotId],
    [lotsAddUp]: [right.topUpUid],
  });
});

test('a grant to another transaction’s lot', async () => {
  const { owner } = database;
  const entry = {
    merchant_id: right.merchantId,
    customer_id: right.customerId,
    transaction_uid: right.redeemUid,
    lot_id: right.principalLotId,
    part: 'principal',
  };
  await owner`insert into ledger_entries ${owner([
    { ...entry, kind: 'grant', amount: 5 },
    { ...entry, kind: 'spend', amount: -5 },
  ])}`;
  expect(await findings()).toEqual({ [lotIsGranted]: [right.principalLotId] });
});

test('a transaction that became another customer’s', async () => {
  const { owner } = database;
  await owner`update transactions set customer_id = ${right.otherCustomerId} where uid = ${right.redeemUid}`;
  const entries = await owner`select id from ledger_entries where transaction_uid = ${right.redeemUid} order by id`;
  const found = await findings();
  expect(found).toEqual({ [entryIsOfTransaction]: expect.anything() });
  expect(found[entryIsOfTransaction]?.sort()).toEqual(entries.map(({ id }) => String(id)));
});

test('a transaction that lost its customer', async () => {
  await database.owner`update transactions set customer_id = null where uid = ${right.saleUid}`;
  expect(await findings()).toEqual({ [entryIsOfTransaction]: expect.anything() });
});

test('points owed for what was not voided, or is not a sale', async () => {
  await database.owner`update transactions set points_shortfall = 4 where uid in ${database.owner([right.redeemUid, right.saleUid])}`;
  expect(await findings()).toEqual({
    [onlyVoidedOwe]: [right.redeemUid],
    [refundsTook]: [right.saleUid],
    [lotsAddUp]: [right.saleUid],
  });
});

test('points taken back without an entry, and more of them than the refund earned', async () => {
  await database.owner`update sales set refunded = 1, points_taken = points_earned where transaction_uid = ${right.saleUid}`;
  expect(await findings()).toEqual({ [refundsTook]: [right.saleUid], [lotsAddUp]: [right.saleUid] });
});

test('a void that returned nothing', async () => {
  await database.owner`update transactions set status = 'voided', voided_at = now() where uid = ${right.redeemUid}`;
  expect((await findings())[voidedCancels]).toEqual([right.redeemUid]);
});

test.each([
  ['that was not one', 8],
  ['of a sale without points', null],
])('a shortfall %s', async (_, points) => {
  const { owner } = database;
  const [lotId, uid] = [newId(), newId()];
  const row = { merchant_id: right.merchantId, customer_id: right.customerId };
  const [{ store_id }] = await owner<[{ store_id: string }]>`
    select store_id from transactions where uid = ${right.redeemUid}`;
  await owner`insert into transactions ${owner({
    ...row,
    uid,
    store_id,
    transaction_id: 'sale',
    type: 'sale',
    status: 'voided',
    voided_at: new Date(),
    occurred_at: new Date(),
    points_shortfall: 3,
  })}`;
  if (points !== null) {
    await owner`insert into lots ${owner({ ...row, id: lotId, transaction_uid: uid, part: 'points', granted: points, remaining: 0 })}`;
    const entry = { ...row, transaction_uid: uid, lot_id: lotId, part: 'points' };
    await owner`insert into ledger_entries ${owner([
      { ...entry, kind: 'grant', amount: points },
      { ...entry, kind: 'void', amount: -points },
    ])}`;
  }
  expect(await findings()).toEqual({ [voidedCancels]: [uid] });
});

test('a refused transaction that moved value', async () => {
  await database.owner`update transactions set status = 'refused' where uid = ${right.redeemUid}`;
  expect(Object.keys(await findings())).toEqual([refusedMovesNothing]);
});

test('an id voided before use that moved value', async () => {
  await database.owner`
    update ledger_entries set transaction_uid = (
      select uid from transactions where merchant_id = ${right.merchantId} and transaction_id = 'unseen')
    where transaction_uid = ${right.redeemUid}`;
  expect(await findings()).toMatchObject({
    [refusedMovesNothing]: expect.anything(),
    [amountIsEntries]: [right.redeemUid],
  });
});

test.each([-1, 1])('an amount that is not what moved (%i)', async (difference) => {
  await database.owner`update transactions set amount = amount + ${difference} where uid = ${right.topUpUid}`;
  expect(await findings()).toEqual({ [amountIsEntries]: [right.topUpUid] });
});

test('a completed redemption without an amount or entries', async () => {
  const { owner } = database;
  await owner`update transactions set amount = null where uid = ${right.redeemUid}`;
  await owner`
    update transactions set status = 'completed', amount = 9_999
    where merchant_id = ${right.merchantId} and transaction_id = 'refused'`;
  expect((await findings())[amountIsEntries]).toHaveLength(2);
});

test('a customer without a balance', async () => {
  await database.owner`delete from balances where customer_id = ${right.otherCustomerId}`;
  expect(await findings()).toEqual({ [everyoneHasBalance]: [right.otherCustomerId] });
});

test('every rule was put to the test', () => {
  expect([...found].sort()).toEqual(Object.keys(ledgerRules).sort());
});
