/** What began before a merge was undone, and gets its lock afterwards, is of the customer it means. */
import { afterAll, describe, expect, test } from 'vitest';
import { createCustomer, createFixedPackage, createMerchant } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { topUpStage } from '@/server/testing/top-ups';
import { authenticateKey } from '../access/authenticate';
import { newId } from '../kernel/ids';
import { verifyLedger } from '../ledger/verify';
import { submitSale } from '../sales/submit';
import { redeemStoredValue } from '../stored-value/redeem';
import { beginTopUp } from '../top-ups/begin';
import { settleTopUp } from '../top-ups/settle';
import { topUp } from '../top-ups/top-up';
import { voidTransactions } from '../transactions/void';
import { forgetPin } from './forget-pin';

const stage = topUpStage();
afterAll(async () => {
  expect(await verifyLedger(stage.owner)).toEqual([]);
});

/** Two customers with 10.00 each that are merged. The kept one has the other's phone from the merge. */
async function mergedPair() {
  const { owner } = stage;
  const services = stage.services();
  const merchant = await createMerchant(owner);
  const till = await authenticateKey(services, merchant.stores[0].key);
  const owned = await createStaff(owner, services, merchant.id, 'owner');
  const staff = callAs(owned);
  const packageId = await createFixedPackage(owner, merchant.id, { amount: 1_000, bonus: 0 });
  const [kept, merged] = [await createCustomer(owner, merchant.id), await createCustomer(owner, merchant.id)];
  await owner`update customers set phone = null where id = ${kept.id}`;
  const by = (customer: object, transactionId: string = newId()) => ({ transactionId, customer });
  const fill = (customer: object, transactionId?: string) =>
    topUp({ ...till }, { ...by(customer, transactionId), packageId });
  await fill({ customerId: kept.id });
  await fill({ customerId: merged.id });
  await redeemStoredValue({ ...till }, { ...by({ customerId: merged.id }, 'before'), amount: 100 });
  const { uid } = (await staff.transactions.list({ type: 'redeemStoredValue' })).items[0] as { uid: string };
  const card = { requestKey: newId(), packageId, method: 'card' as const };
  const ofMerged = { ...services, merchant: till.merchant, customerId: merged.id };
  const { topUpRequestId } = await beginTopUp(ofMerged, card);
  await staff.customers.merge({ keptId: kept.id, mergedId: merged.id });
  const held = async ({ id }: { id: string }) => {
    const [row] = await owner`select principal::int as principal from balances where customer_id = ${id}`;
    return row?.principal as number;
  };
  /** Starts `work` while the undoing holds its locks and has not committed. */
  const duringUndo = async <T>(work: () => Promise<T>): Promise<T> => {
    const started = await owner.begin(async (sql) => {
      await sql`select from customers where id = ${merged.id} for update`;
      const undoing = staff.customers.undoMerge({ mergedId: merged.id });
      await stage.waiting(1);
      const working = work();
      working.catch(() => {});
      await stage.waiting(2);
      return { undoing, working };
    });
    await started.undoing;
    return started.working;
  };
  return { services, merchant, till, staff, uid, kept, merged, by, fill, held, duringUndo, topUpRequestId };
}

describe.each(['id', 'phone'] as const)('a till that names the merged customer by %s', (key) => {
  const nameOf = ({ merged }: Awaited<ReturnType<typeof mergedPair>>) =>
    key === 'id' ? { customerId: merged.id } : { phone: merged.phone };

  test('redeems their value, and gives them top-ups and points', async () => {
    const pair = await mergedPair();
    const { till, by, fill, held, duringUndo, kept, merged } = pair;
    const answers = await duringUndo(() =>
      Promise.all([
        redeemStoredValue({ ...till }, { ...by(nameOf(pair)), amount: 300 }),
        fill(nameOf(pair)),
        submitSale(
          { ...till },
          {
            ...by(nameOf(pair)),
            lines: [{ plu: 'A', name: 'Laksa', quantity: 1, unitPrice: 500, amount: 500 }],
            subtotal: 500,
            discount: 0,
            serviceCharge: 0,
            tax: 0,
            total: 500,
            payments: [{ method: 'cash', amount: 500 }],
            closedAt: new Date().toISOString(),
          },
        ),
      ]),
    );
    expect(answers.map(({ customerId }) => customerId)).toEqual(Array(3).fill(merged.id));
    expect([await held(kept), await held(merged)]).toEqual([1_000, 1_600]);
  });

  test('sends them a new PIN', async () => {
    const pair = await mergedPair();
    await pair.duringUndo(() => forgetPin({ ...pair.till }, { customer: nameOf(pair) }));
    const rows = await stage.owner`select customer_id from customer_pins where merchant_id = ${pair.merchant.id}`;
    expect([...rows]).toEqual([{ customer_id: pair.merged.id }]);
  });
});

describe('what belongs to the merged customer', () => {
  test('comes back to them by a void', async () => {
    const { till, held, duringUndo, kept, merged } = await mergedPair();
    await duringUndo(() => voidTransactions({ ...till }, { transactionIds: ['before'] }));
    expect([await held(kept), await held(merged)]).toEqual([1_000, 1_000]);
  });

  test('comes back to them by a partial refund', async () => {
    const { staff, uid, held, duringUndo, kept, merged } = await mergedPair();
    await duringUndo(() => staff.transactions.refundPart({ refundId: newId(), uid, amount: 40, reason: 'Cold soup' }));
    expect([await held(kept), await held(merged)]).toEqual([1_000, 940]);
  });

  test('is credited to them when a card pays for it', async () => {
    const { services, merchant, held, duringUndo, kept, merged, topUpRequestId } = await mergedPair();
    stage.stripe.pay([...stage.stripe.sessions.keys()].at(-1) as string);
    await duringUndo(() => settleTopUp(services, { merchantId: merchant.id, topUpRequestId }));
    expect([await held(kept), await held(merged)]).toEqual([1_000, 1_900]);
  });
});
