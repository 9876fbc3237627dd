import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { createMerchant, testServices } from '@/server/testing/factory';
import { createCampaign, createVoucher } from '@/server/testing/factory-ordering';
import { callAs, createStaff } from '@/server/testing/staff';
import { openStage } from '@/server/testing/transaction-stage';
import { newId } from '../kernel/ids';
import { formatVoucherCode } from '../kernel/voucher-code';
import { verifyLedger } from '../ledger/verify';
import { redeemPoints } from '../points/redeem';
import { redeemStoredValue } from '../stored-value/redeem';
import { topUp } from '../top-ups/top-up';
import { redeemVoucher } from '../vouchers/redeem';
import { voidTransactions } from './void';

const database = ownDatabase();
let stage: Awaited<ReturnType<typeof openStage>>;

beforeAll(async () => {
  stage = await openStage(database);
});
beforeEach(() => stage.newCustomer());
afterAll(async () => {
  expect(await verifyLedger(database.owner)).toEqual([]);
});

const causeOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (one) => one,
  );
  return error?.cause as { code: string; details: { blocking: unknown } } | undefined;
};

describe('what the preview shows is what the void does', () => {
  test('for a bill of several stores, with an adjustment', async () => {
    const { north, south, preview, paid, redeemed, sold, adjusted, voidAll, held } = stage;
    await paid(north);
    const before = await held();
    const uids = [await redeemed(south, 3_000), await adjusted(-500), await adjusted(700), await sold(north, 900)];
    const shown = await preview(...uids);
    expect(shown.transactions.map(({ outcome }) => outcome)).toEqual(['voided', 'voided', 'voided', 'voided']);
    expect(shown.transactions.map(({ store }) => store?.name ?? null).sort()).toEqual(
      [null, null, 'Store NORTH', 'Store SOUTH'].sort(),
    );
    const now = { customerId: stage.customer().id, name: 'Ada Tester', before: await held(), after: before };
    expect(shown.customers).toEqual([now]);
    expect(await held()).toEqual(now.before);
    expect(await voidAll(...uids)).toEqual(['voided', 'voided', 'voided', 'voided']);
    expect(await held()).toEqual(before);
  });

  test('for points that were spent and are owed', async () => {
    const { north, run, preview, voidAs, sold, held } = stage;
    const sale = await sold(north, 4_000);
    await run((input) => redeemPoints(north, { ...input, points: 30 }));
    const shown = await preview(sale);
    expect(shown.transactions[0]).toMatchObject({ outcome: 'voided', pointsShortfall: 30 });
    expect(shown.customers[0]).toMatchObject({ before: { points: 10 }, after: { points: 0 } });
    const { results } = await voidAs(shown.effect, sale);
    expect(results).toEqual([{ uid: sale, status: 'voided', pointsShortfall: 30 }]);
    expect((await held()).points).toBe(0);
  });

  test('for vouchers: one can be used again, one has expired meanwhile', async () => {
    const { merchant, north, run, preview, voidAll } = stage;
    const campaignId = await createCampaign(database.owner, merchant.id, { stackable: true });
    const codes = [1, 2].map(() =>
      createVoucher(database.owner, merchant.id, { campaignId, customerId: stage.customer().id }),
    );
    const [good, late] = (await Promise.all(codes)) as [string, string];
    const use = (voucherCode: string) =>
      run((input) => redeemVoucher(north, { ...input, voucherCode, bill: { amount: 5_000 } }));
    const uids = [await use(good), await use(late)];
    await database.owner`update vouchers set expires_at = now() - interval '1 second' where voucher_code = ${late}`;
    const { vouchers } = await preview(...uids);
    expect(vouchers).toEqual(
      [
        { voucherCode: formatVoucherCode(good), campaignName: 'Five off', becomes: 'usable' },
        { voucherCode: formatVoucherCode(late), campaignName: 'Five off', becomes: 'expired' },
      ].sort((a, b) => (a.voucherCode < b.voucherCode ? -1 : 1)),
    );
    await voidAll(...uids);
    await use(good);
    await expect(use(late)).rejects.toMatchObject({ code: 'voucher_expired' });
  });

  test('and for nothing else: where something changed meanwhile it is refused', async () => {
    const { north, south, run, preview, voidAs, paid, sold, voidAll, held } = stage;
    const uids = [await paid(north), await sold(north, 5_000)];
    const { effect } = await preview(...uids);
    await run((input) => redeemPoints(south, { ...input, points: 20 }));
    expect((await causeOf(voidAs(effect, ...uids)))?.code).toBe('void_changed');
    expect(await held()).toEqual({ principal: 10_000, bonus: 2_000, points: 30 });
    expect(await voidAll(...uids)).toEqual(['voided', 'voided']);
  });
});

describe('what stands in the way', () => {
  test('is named with what spent it, wherever that was, and nothing is voided', async () => {
    const { north, south, preview, voidAs, paid, redeemed, sold, adjusted, voidAll, held } = stage;
    const granted = await paid(north);
    const spenders = [await adjusted(-100), await redeemed(south, 2_500), await redeemed(north, 500)];
    const other = await sold(north, 900);
    const before = await held();
    const { transactions, effect } = await preview(granted, other);
    const [, blocked] = transactions;
    expect(transactions.map(({ outcome }) => outcome)).toEqual(['voided', 'blocked']);
    expect(blocked?.blocking?.code).toBe('top_up_spent');
    expect(blocked?.blocking?.spentBy.map(({ uid }) => uid)).toEqual(spenders.toReversed());
    expect(blocked?.blocking?.spentBy[1]).toMatchObject({ type: 'redeemStoredValue', storeCode: 'SOUTH' });
    const refusal = await causeOf(voidAs(effect, granted, other));
    expect(refusal).toMatchObject({ code: 'void_refused', details: { blocking: [blocked?.blocking] } });
    expect(await held()).toEqual(before);
    expect(await voidAll(granted, other, ...spenders)).toEqual(Array(5).fill('voided'));
    expect(await held()).toEqual({ principal: 0, bonus: 0, points: 0 });
  });

  test('a POS is told, too', async () => {
    const { packageId, north, south, next, adjusted } = stage;
    const granted = next();
    await topUp(north, { ...granted, packageId });
    const spent = next();
    await redeemStoredValue(south, { ...spent, amount: 100 });
    await adjusted(-100);
    await expect(voidTransactions(north, { transactionIds: [granted.transactionId] })).rejects.toMatchObject({
      details: {
        blocking: [
          {
            transactionId: granted.transactionId,
            code: 'top_up_spent',
            spentBy: [
              { transactionId: null, type: 'adjustment', storeCode: null },
              { transactionId: spent.transactionId, type: 'redeemStoredValue', storeCode: 'SOUTH' },
            ],
          },
        ],
      },
    });
  });

  test('an adjustment whose value was spent, and an expiry', async () => {
    const { north, preview, voidAs, paid, redeemed, adjusted, voidAll } = stage;
    const granted = await adjusted(1_000);
    await redeemed(north, 400);
    expect((await preview(granted)).transactions[0]?.blocking?.code).toBe('adjustment_spent');
    const topUpUid = await paid(north);
    const used = await redeemed(north, 2_500);
    await database.owner`update lots set expires_at = now() - interval '1 second' where transaction_uid = ${topUpUid} and part = 'bonus'`;
    await voidAll(used);
    const [expiry] = await database.owner`
      select uid from transactions where customer_id = ${stage.customer().id} and type = 'expiry'`;
    const { transactions, effect } = await preview(expiry?.uid);
    expect(transactions[0]?.blocking).toMatchObject({ code: 'not_voidable', spentBy: [] });
    expect((await causeOf(voidAs(effect, expiry?.uid)))?.code).toBe('void_refused');
  });
});

test('voiding again says so, whatever was looked at, and leaves the first reason', async () => {
  const { manager, north, preview, voidAs, paid } = stage;
  const uid = await paid(north);
  const { effect } = await preview(uid);
  await voidAs(effect, uid);
  for (const told of [effect, 'another']) {
    expect((await voidAs(told, uid)).results).toEqual([{ uid, status: 'alreadyVoided', pointsShortfall: 0 }]);
  }
  expect((await preview(uid)).transactions[0]?.outcome).toBe('alreadyVoided');
  const rows = await database.owner`
    select a.actor_id, a.after from audit_log a join transactions t on t.void_id::text = a.subject_id
    where t.uid = ${uid} and a.action = 'transactions.void'`;
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ actor_id: manager.staff.userId, after: expect.stringContaining(uid) });
  expect(JSON.parse(rows[0]?.after)).toEqual({ uids: [uid], reason: expect.any(String) });
});

test('a uid may be in capitals, as every id', async () => {
  const { north, preview, voidAs, paid } = stage;
  const uid = await paid(north);
  const { effect } = await preview(uid.toUpperCase());
  expect((await voidAs(effect, uid.toUpperCase())).results).toEqual([{ uid, status: 'voided', pointsShortfall: 0 }]);
});

test('what belongs to another merchant does not exist', async () => {
  const { north, paid, held } = stage;
  const uid = await paid(north);
  const other = await createMerchant(database.owner);
  const stranger = callAs(await createStaff(database.owner, testServices(database.db), other.id, 'owner'));
  const [own] = await database.owner`
    insert into transactions (merchant_id, uid, type, status, occurred_at)
    values (${other.id}, ${newId()}, 'expiry', 'completed', now()) returning uid`;
  const notFound = { code: 'NOT_FOUND' };
  await expect(stranger.transactions.get({ uid })).rejects.toMatchObject(notFound);
  for (const uids of [[uid], [own?.uid, uid]]) {
    await expect(stranger.transactions.voidPreview({ uids })).rejects.toMatchObject(notFound);
    const wanted = { uids, reason: 'Mine', effect: '' };
    await expect(stranger.transactions.void(wanted)).rejects.toMatchObject(notFound);
  }
  expect((await held()).principal).toBe(10_000);
});
