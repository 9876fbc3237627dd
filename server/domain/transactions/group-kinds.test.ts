/** Transactions of all kinds at the same moment: each follows its own rules, whatever else is in its group. */
import { describe, expect, test, vi } from 'vitest';
import { createCustomer, createFixedPackage, createMerchant, testServices } from '@/server/testing/factory';
import { createCampaign, createVoucher } from '@/server/testing/factory-ordering';
import { holdBalances } from '@/server/testing/faults';
import { type Customer, groupStage, openingValue, outcomeOf } from '@/server/testing/group-stage';
import { authenticateKey } from '../access/authenticate';
import { topUp } from '../top-ups/top-up';
import { redeemVoucher } from '../vouchers/redeem';
import { voidTransactions } from './void';

const stage = groupStage();
const { next, buy, customerWithValue, redeem, sell, principalOf } = stage;

async function voidOne(id: string): Promise<{ status: string }> {
  const { results } = await voidTransactions(stage.till, { transactionIds: [id] });
  return results[0] as { status: string };
}

const waitForLock = () =>
  vi.waitFor(async () => {
    const [row] = await stage.owner`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    expect(row?.waiting).toBeGreaterThan(0);
  }, 40_000);

describe('at the same moment', () => {
  test('of all kinds go together, and what one of them refuses is refused alone', async () => {
    const { owner } = stage;
    const campaignId = await createCampaign(owner, stage.merchant.id, { unit: 'BillDollarValue', value: 300 });
    const customers = await Promise.all(Array.from({ length: 14 }, customerWithValue));
    const ids = customers.map(next);
    const [voidedId, unknownId] = [next(), next()];
    await redeem(customers[12] as Customer, 400, voidedId);
    const codes = await Promise.all(
      customers.map(({ id }) => createVoucher(owner, stage.merchant.id, { campaignId, customerId: id })),
    );
    const answers = await Promise.all([
      ...customers.slice(0, 12).map(async ({ id: customerId }, n) => {
        const [customer, transactionId] = [{ id: customerId }, ids[n] as string];
        if (n % 4 === 0) return outcomeOf(redeem(customer, n === 4 ? 5_000 : 400, transactionId));
        if (n % 4 === 1) return outcomeOf(buy(customer, transactionId));
        if (n % 4 === 2) return outcomeOf(sell(1_000, customerId, { transactionId }));
        const voucher = { voucherCode: codes[n === 11 ? 0 : n] as string, bill: { amount: n === 7 ? 0 : 1_000 } };
        return outcomeOf(redeemVoucher(stage.till, { transactionId, customer: { customerId }, ...voucher }));
      }),
      outcomeOf(voidOne(voidedId)),
      outcomeOf(voidOne(unknownId)),
    ]);
    const refused = { 4: 'insufficient_balance', 7: 'voucher_not_applicable', 11: 'voucher_not_found' };
    expect(answers).toEqual([
      ...ids.slice(0, 12).map((_, n) => (refused as Record<number, string>)[n] ?? 'completed'),
      ...['voided', 'not_found'],
    ]);
    const left = [0, 1, 2, 3].flatMap((kind) => [0, 4, 8].map((n) => ({ n: n + kind, kind })));
    for (const { n, kind } of left) {
      const change = answers[n] === 'completed' ? ([-400, openingValue, 0, 0][kind] as number) : 0;
      expect(await principalOf(customers[n] as Customer), `of ${n}`).toBe(openingValue + change);
    }
    expect(await principalOf(customers[12] as Customer)).toBe(openingValue);
    const groups = await owner`
      select xmin::text as written, array_agg(distinct type::text) as kinds from transactions
      where transaction_id = any(${[...ids, unknownId]}) and status <> 'refused' group by 1`;
    expect(groups.some(({ kinds }) => kinds.length > 2)).toBe(true);
  });

  test('of one customer wait together at its lock, and run in order of arrival, whatever their kinds', async () => {
    const customer = await customerWithValue();
    const release = await holdBalances(stage.owner, [customer.id]);
    const first = outcomeOf(redeem(customer, 100));
    await waitForLock();
    const others = [
      outcomeOf(buy(customer)),
      outcomeOf(redeem(customer, 500)),
      outcomeOf(sell(1_000, customer.id)),
      outcomeOf(voidOne(customer.topUpId)),
    ];
    await release();
    expect([await first, ...(await Promise.all(others))]).toEqual([...Array(4).fill('completed'), 'void_refused']);
    expect(await principalOf(customer)).toBe(2 * openingValue - 600);
  });

  test('one whose id is taken elsewhere at the very moment is told what became of it; the others are carried out', async () => {
    const { owner } = stage;
    const customers = await Promise.all(Array.from({ length: 8 }, customerWithValue));
    const [first, ...others] = customers as [Customer, ...Customer[]];
    const transactionId = next();
    let take = () => {};
    const isTime = new Promise<void>((resolve) => {
      take = resolve;
    });
    let isTaken = () => {};
    const taken = new Promise<void>((resolve) => {
      isTaken = resolve;
    });
    // Takes it like a void in another process.
    const elsewhere = owner.begin(async (sql) => {
      await sql`
        insert into transactions (merchant_id, uid, store_id, transaction_id, status, occurred_at, created_at, voided_at)
        values (${stage.merchant.id}, gen_random_uuid(), ${stage.merchant.stores[0].id}, ${transactionId}, 'voided', now(), now(), now())`;
      isTaken();
      await isTime;
    });
    await taken;
    const late = outcomeOf(redeem(first, 100, transactionId));
    const answers = Promise.all(others.map((customer, n) => outcomeOf(n % 2 ? redeem(customer, 100) : buy(customer))));
    await waitForLock();
    take();
    await elsewhere;
    expect(await late).toBe('transaction_voided');
    expect(await answers).toEqual(others.map(() => 'completed'));
    expect(await principalOf(first)).toBe(openingValue);
  });

  test('top-ups of one customer respect the limit of the balance together', async () => {
    const limited = await createMerchant(stage.owner, { balance_limit: 2_500 });
    const own = await authenticateKey(testServices(stage.db), limited.stores[0].key);
    const offer = await createFixedPackage(stage.owner, limited.id, { amount: openingValue, bonus: 0 });
    const { id: customerId } = await createCustomer(stage.owner, limited.id);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () =>
        outcomeOf(topUp(own, { transactionId: next(), customer: { customerId }, packageId: offer })),
      ),
    );
    expect(answers.sort()).toEqual(['balance_limit_exceeded', 'balance_limit_exceeded', 'completed', 'completed']);
  });

  test('sales keep their own lines and payments, with a customer and without', async () => {
    const { id: customerId } = await createCustomer(stage.owner, stage.merchant.id);
    const sale = (total: number, plu: string, isKnown: boolean) =>
      sell(total, isKnown ? customerId : undefined, { plu });
    const sold = await Promise.all([sale(1_000, 'P1', true), sale(2_000, 'P2', false), sale(3_000, 'P3', true)]);
    const [first, nobodys, last] = sold;
    expect(nobodys?.points).toBeNull();
    const earned = (first?.pointsEarned ?? 0) + (last?.pointsEarned ?? 0);
    expect(earned).toBeGreaterThan(0);
    expect(Math.max(first?.points?.balance ?? 0, last?.points?.balance ?? 0)).toBe(earned);
    const rows = await stage.owner`
      select t.transaction_id, s.total::int as total, l.plu, l.amount::int as amount, p.amount::int as paid
      from transactions t join sales s on s.transaction_uid = t.uid join sale_lines l on l.transaction_uid = t.uid
      join sale_payments p on p.transaction_uid = t.uid
      where t.transaction_id = any(${sold.map(({ transactionId }) => transactionId)}) order by s.total`;
    expect(
      rows.map(({ transaction_id, total, plu, amount, paid }) => [transaction_id, total, plu, amount, paid]),
    ).toEqual(
      sold.map(({ transactionId }, n) => [
        transactionId,
        ...[1_000, 2_000, 3_000].slice(n, n + 1),
        `P${n + 1}`,
        1_000 * (n + 1),
        1_000 * (n + 1),
      ]),
    );
  });

  test('a voucher is used once, and one that does not stack stays alone on its bill', async () => {
    const { owner } = stage;
    const campaignId = await createCampaign(owner, stage.merchant.id, { unit: 'BillDollarValue', value: 300 });
    const customers = await Promise.all([1, 2, 3].map(() => createCustomer(owner, stage.merchant.id)));
    const codes = await Promise.all(
      customers.map(({ id }) => createVoucher(owner, stage.merchant.id, { campaignId, customerId: id })),
    );
    const use = (n: number, billId?: string) =>
      outcomeOf(
        redeemVoucher(stage.till, {
          transactionId: next(),
          customer: { customerId: customers[n]?.id as string },
          billId,
          voucherCode: codes[n] as string,
          bill: { amount: 1_000 },
        }),
      );
    const sameVoucher = await Promise.all([use(0), use(0), use(0)]);
    expect(sameVoucher.sort()).toEqual(['completed', 'voucher_redeemed', 'voucher_redeemed']);
    const sameBill = await Promise.all([use(1, 'B-7'), use(2, 'B-7')]);
    expect(sameBill.sort()).toEqual(['completed', 'voucher_not_stackable']);
  });

  test('a voucher for a bill that is locked elsewhere waits alone', async () => {
    const { owner, merchant } = stage;
    const campaignId = await createCampaign(owner, merchant.id, { unit: 'BillDollarValue', value: 300 });
    const customers = await Promise.all(Array.from({ length: 6 }, customerWithValue));
    const codes = await Promise.all(
      customers.map(({ id }) => createVoucher(owner, merchant.id, { campaignId, customerId: id })),
    );
    const bill = `${merchant.stores[0].id} B-8`;
    const holder = await owner.reserve();
    await holder`select pg_advisory_lock(hashtextextended('bill ' || ${merchant.id} || ' ' || ${bill}, 0))`;
    let isDone = false;
    const use = (n: number, billId: string, till = stage.till) =>
      redeemVoucher(till, {
        transactionId: next(),
        customer: { customerId: customers[n]?.id as string },
        billId,
        voucherCode: codes[n] as string,
        bill: { amount: 1_000 },
      });
    const waiting = use(0, 'B-8').finally(() => {
      isDone = true;
    });
    // Less than a statement's wait for a lock.
    const soon = { ...stage.till, db: { ...stage.till.db, deadline: performance.now() + 3_000 } };
    const others = await Promise.all([1, 2, 3, 4, 5].map((n) => use(n, `B-${n}`, soon)));
    expect(others.map(({ status }) => status)).toEqual(others.map(() => 'completed'));
    expect(isDone).toBe(false);
    await holder`select pg_advisory_unlock_all()`;
    holder.release();
    expect((await waiting).status).toBe('completed');
  });
});
