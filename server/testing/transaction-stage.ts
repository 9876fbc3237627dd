/** A manager, the tills of two stores, and a customer, for tests of transactions and their voids. */
import type { TestDatabase } from '@/db/testing/database';
import { authenticateKey } from '@/server/domain/access/authenticate';
import { balancesByPhone } from '@/server/domain/customers/balances';
import type { PosContext } from '@/server/domain/kernel/context';
import { newId } from '@/server/domain/kernel/ids';
import { submitSale } from '@/server/domain/sales/submit';
import { redeemStoredValue } from '@/server/domain/stored-value/redeem';
import { topUp } from '@/server/domain/top-ups/top-up';
import { createCustomer, createFixedPackage, createMerchant, type MerchantSettings, testServices } from './factory';
import { callAs, createStaff } from './staff';

let serial = 0;

/**
 * Creates a separate merchant with a package of 100.00 for 120.00. One customer makes all transactions, until
 * `newCustomer`.
 */
export async function openStage({ owner, db }: TestDatabase, settings: MerchantSettings = {}) {
  const services = testServices(db);
  const merchant = await createMerchant(owner, settings);
  const packageId = await createFixedPackage(owner, merchant.id, { amount: 10_000, bonus: 2_000 });
  const manager = await createStaff(owner, services, merchant.id, 'manager');
  const [north, south] = await Promise.all([
    authenticateKey(services, merchant.stores[0].key),
    authenticateKey(services, merchant.stores[1].key),
  ]);
  let customer = await createCustomer(owner, merchant.id);

  const next = () => ({ transactionId: `t-${++serial}`, customer: { customerId: customer.id } });
  async function uidOf(transactionId: string): Promise<string> {
    const [row] = await owner`
      select uid from transactions where merchant_id = ${merchant.id} and transaction_id = ${transactionId}`;
    return row?.uid as string;
  }
  /** Executes a transaction, and returns its uid. */
  async function run(work: (input: ReturnType<typeof next>) => Promise<{ transactionId: string }>): Promise<string> {
    const { transactionId } = await work(next());
    return uidOf(transactionId);
  }
  const preview = (...uids: string[]) => callAs(manager).transactions.voidPreview({ uids });
  const voidAs = (effect: string, ...uids: string[]) =>
    callAs(manager).transactions.void({ uids, reason: 'Rung up twice', effect });

  return {
    merchant,
    packageId,
    manager,
    north,
    south,
    next,
    uidOf,
    run,
    preview,
    voidAs,
    customer: () => customer,
    newCustomer: async () => {
      customer = await createCustomer(owner, merchant.id);
    },
    paid: (till: PosContext) => run((input) => topUp(till, { ...input, packageId })),
    redeemed: (till: PosContext, amount: number) => run((input) => redeemStoredValue(till, { ...input, amount })),
    sold: (till: PosContext, amount: number) =>
      run((input) =>
        submitSale(till, {
          ...input,
          lines: [{ plu: 'A', name: 'Laksa', quantity: 1, unitPrice: amount, amount }],
          subtotal: amount,
          discount: 0,
          serviceCharge: 0,
          tax: 0,
          total: amount,
          payments: [{ method: 'cash', amount }],
          closedAt: new Date().toISOString(),
        }),
      ),
    adjusted: async (amount: number): Promise<string> => {
      const direction = amount > 0 ? ('add' as const) : ('take' as const);
      const what = { customerId: customer.id, part: 'principal' as const, direction, amount: Math.abs(amount) };
      const input = { ...what, adjustmentId: newId(), expiresOn: null, reason: 'Goodwill' };
      await callAs(manager).customers.adjust(input);
      const [row] = await owner`
        select uid from transactions where customer_id = ${customer.id} and type = 'adjustment' order by uid desc limit 1`;
      return row?.uid as string;
    },
    /** Voids like the screen: previews, then confirms. */
    voidAll: async (...uids: string[]) => {
      const { effect } = await preview(...uids);
      return (await voidAs(effect, ...uids)).results.map(({ status }) => status);
    },
    held: async () => {
      const { storedValue, points } = await balancesByPhone(north, { phone: customer.phone });
      return { principal: storedValue.principal, bonus: storedValue.bonus, points: points.balance };
    },
  };
}
