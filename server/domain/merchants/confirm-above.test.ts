/** Money and accounts ask again who is there: above the merchant's amount, 15 minutes after the last proof. */

import { beforeAll, describe, expect, test } from 'vitest';
import { profileOf } from '@/db/kinds/lists';
import { openPaidTable } from '@/server/testing/bill-payments';
import { createCustomer, createFixedPackage, createMerchant, type TestMerchant } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { rowsOf } from '@/server/testing/tenancy/rows';
import { topUpStage } from '@/server/testing/top-ups';
import { authenticateKey } from '../access/authenticate';
import type { PosContext, StaffContext } from '../kernel/context';
import { newId } from '../kernel/ids';
import { submitSale } from '../sales/submit';
import { redeemStoredValue } from '../stored-value/redeem';
import { topUp } from '../top-ups/top-up';

const stage = topUpStage();
/** A point is worth 10. */
const settings = { confirm_above: 1_000, point_value: 10 };
let merchant: TestMerchant;
let till: PosContext;

beforeAll(async () => {
  merchant = await createMerchant(stage.owner, settings);
  till = await authenticateKey(stage.services(), merchant.stores[0].key);
});

/** A manager who proved that many minutes ago who they are. */
async function manager(minutes: number, merchantId = merchant.id): Promise<StaffContext> {
  const services = stage.services();
  const { staff, ...rest } = await createStaff(stage.owner, services, merchantId, 'owner');
  const confirmedAt = new Date(services.systemClock.now().getTime() - minutes * 60_000);
  return { ...rest, staff: { ...staff, confirmedAt } };
}

const newCustomer = async () => (await createCustomer(stage.owner, merchant.id)).id;
/** Creates a customer who holds that much value. Returns the top-up's id, too. */
async function holder(amount: number) {
  const customerId = await newCustomer();
  const packageId = await createFixedPackage(stage.owner, merchant.id, { amount, bonus: 0 });
  const transactionId = newId();
  await topUp({ ...till }, { transactionId, customer: { customerId }, packageId });
  return { customerId, transactionId };
}
const uidOf = async (transactionId: string): Promise<string> => {
  const [row] = await stage.owner`select uid from transactions where transaction_id = ${transactionId}`;
  return row?.uid;
};
const adjustment = (customerId: string, part: 'principal' | 'points', amount: number) => ({
  customerId,
  part,
  amount,
  direction: 'add' as const,
  adjustmentId: newId(),
  expiresOn: null,
  reason: 'Goodwill',
});

type Act = (as: StaffContext) => Promise<unknown>;
/** Each prepares something that is worth `amount`, and returns how staff change it. */
const changes: Record<string, (amount: number) => Promise<Act>> = {
  'a cash-out': async (amount) => {
    const { customerId } = await holder(amount);
    const input = { cashOutId: newId(), customerId, storeId: merchant.stores[0].id, amount, reason: 'Moves abroad' };
    return (as) => callAs(as).customers.cashOut({ ...input, paymentMethod: 'cash' });
  },
  'an adjustment of value': async (amount) => {
    const input = adjustment(await newCustomer(), 'principal', amount);
    return (as) => callAs(as).customers.adjust(input);
  },
  'an adjustment of points, by what they are worth': async (amount) => {
    const input = adjustment(await newCustomer(), 'points', Math.ceil(amount / settings.point_value));
    return (as) => callAs(as).customers.adjust(input);
  },
  'a merge, by what moves': async (amount) => {
    const [keptId, { customerId: mergedId }] = [await newCustomer(), await holder(amount)];
    return (as) => callAs(as).customers.merge({ keptId, mergedId });
  },
  'a changed phone number, by what its customer holds': async (amount) => {
    const { customerId } = await holder(amount);
    const phone = `+659${String(1_000_000 + ++serial)}`;
    return async (as) => {
      const { customer, revision } = await callAs(as).customers.get({ customerId });
      return callAs(as).customers.edit({ ...profileOf(customer), customerId, revision, phone });
    };
  },
  'a void, by what customers lose': async (amount) => {
    const uids = [await uidOf((await holder(amount)).transactionId)];
    return async (as) => {
      const { effect } = await callAs(as).transactions.voidPreview({ uids });
      return callAs(as).transactions.void({ uids, effect, reason: 'Mistyped' });
    };
  },
  'a void of a sale without a customer': async (amount) => {
    const transactionId = newId();
    const lines = [{ plu: 'P', name: 'P', quantity: 1, unitPrice: amount, amount }];
    const sums = { subtotal: amount, discount: 0, serviceCharge: 0, tax: 0, total: amount };
    const closedAt = new Date().toISOString();
    await submitSale({ ...till }, { transactionId, closedAt, lines, ...sums, payments: [{ method: 'cash', amount }] });
    const uids = [await uidOf(transactionId)];
    return async (as) => {
      const { effect } = await callAs(as).transactions.voidPreview({ uids });
      return callAs(as).transactions.void({ uids, effect, reason: 'Mistyped' });
    };
  },
  'a void of a top-up with its redemption': async (amount) => {
    const paid = Math.ceil(amount / 2);
    const { customerId, transactionId: topUpId } = await holder(paid);
    const transactionId = newId();
    await redeemStoredValue({ ...till }, { transactionId, customer: { customerId }, amount: amount - paid });
    const uids = [await uidOf(topUpId), await uidOf(transactionId)];
    return async (as) => {
      const { effect } = await callAs(as).transactions.voidPreview({ uids });
      return callAs(as).transactions.void({ uids, effect, reason: 'Mistyped' });
    };
  },
  'a partial refund': async (amount) => {
    const { customerId } = await holder(5_000);
    const transactionId = newId();
    await redeemStoredValue({ ...till }, { transactionId, customer: { customerId }, amount: 4_000 });
    const input = { refundId: newId(), uid: await uidOf(transactionId), amount, reason: 'Cold soup' };
    return (as) => callAs(as).transactions.refundPart(input);
  },
};
let serial = 0;

describe.each(Object.entries(changes))('%s', (_, prepare) => {
  test('asks above the amount, and then changes nothing; not below, nor after a recent proof', async () => {
    const [late, recent] = [await manager(16), await manager(14)];
    await expect((await prepare(1_000))(late)).resolves.not.toThrow();
    const act = await prepare(1_001);
    const before = await rowsOf(stage.owner, merchant.id);
    await expect(act(late)).rejects.toMatchObject({ cause: { code: 'confirmation_required' } });
    expect(await rowsOf(stage.owner, merchant.id)).toEqual(before);
    await expect(act(recent)).resolves.not.toThrow();
  });
});

test('a refund of a card payment asks above the amount', async () => {
  const table = await openPaidTable(stage, 3_000, { settings });
  const { paymentId } = await table.pay();
  const [late, recent] = [await manager(16, table.merchant.id), await manager(1, table.merchant.id)];
  const refund = (as: StaffContext, returned: number) =>
    callAs(as).bills.refundPayment({ paymentId, returned, reason: 'Cold soup' });
  await refund(late, 1_000);
  await expect(refund(late, 2_001)).rejects.toMatchObject({ cause: { code: 'confirmation_required' } });
  await refund(late, 2_000);
  await refund(recent, 3_000);
});

test('a merchant without an amount is not asked, and with 0 always', async () => {
  const late = await manager(16);
  const adjust = async (amount: number) =>
    callAs(late).customers.adjust(adjustment(await newCustomer(), 'principal', amount));
  const set = (amount: number | null) =>
    stage.owner`update merchants set confirm_above = ${amount} where id = ${merchant.id}`;
  await set(null);
  await adjust(1_000_000);
  await set(0);
  await expect(adjust(1)).rejects.toMatchObject({ cause: { code: 'confirmation_required' } });
  await set(settings.confirm_above);
});

test('who changes the amount is asked', async () => {
  const change = async (minutes: number, confirmAbove: number) =>
    callAs(await manager(minutes)).settings.change({ confirmAbove });
  await expect(change(16, 2_000)).rejects.toMatchObject({ cause: { code: 'confirmation_required' } });
  await change(16, settings.confirm_above);
  await change(14, 2_000);
  await change(14, settings.confirm_above);
});
