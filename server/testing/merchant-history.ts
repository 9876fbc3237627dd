/** A merchant with a random past: tills, diners and staff did all kinds of things. */
import type { TestDatabase } from '@/db/testing/database';
import { DomainError } from '@/server/domain/kernel/errors';
import { newId } from '@/server/domain/kernel/ids';
import { redeemPoints } from '@/server/domain/points/redeem';
import { placeTableOrder } from '@/server/domain/qr-ordering/place-order';
import { submitSale } from '@/server/domain/sales/submit';
import { cashOut } from '@/server/domain/stored-value/cash-out';
import { redeemStoredValue } from '@/server/domain/stored-value/redeem';
import { topUp } from '@/server/domain/top-ups/top-up';
import { voidTransactions } from '@/server/domain/transactions/void';
import { redeemVoucher } from '@/server/domain/vouchers/redeem';
import { createCustomer, type MerchantSettings, testServices } from './factory';
import { createCampaign, createMenu, createVoucher, menu } from './factory-ordering';
import { randomFrom } from './random';
import { callAs, createStaff } from './staff';
import { openTable } from './tables';
import { openStage } from './transaction-stage';

/** Creates the merchant, its owner and an open table, after `steps` steps. Refused steps change nothing. */
export async function createHistory(
  database: TestDatabase,
  { seed, steps = 150, settings = {} }: { seed: number; steps?: number; settings?: MerchantSettings },
) {
  const { owner, db } = database;
  const random = randomFrom(seed);
  const services = testServices(db);
  const account = { card_account_id: `acct_${newId().replaceAll('-', '')}`, card_account_state: 'active' as const };
  const stage = await openStage(database, { ...account, ...settings });
  const { merchant, packageId, north, south } = stage;
  const staff = await createStaff(owner, services, merchant.id, 'owner');
  const call = callAs(staff);
  await createMenu(owner, merchant.id);
  const campaignId = await createCampaign(owner, merchant.id);
  const pick = <T>(all: T[]): T => all[Math.floor(random() * all.length)] as T;
  const customers: string[] = [];
  for (let n = 0; n < 8; n++) customers.push((await createCustomer(owner, merchant.id, { pin: '4831' })).id);
  const done: string[] = [];
  const table = await openTable({ till: north, merchant });
  const step = {
    topUp: (till: typeof north, by: ReturnType<typeof input>) => topUp(till, { ...by, packageId }),
    redeem: (till: typeof north, by: ReturnType<typeof input>) =>
      redeemStoredValue(till, { ...by, amount: 1 + Math.floor(random() * 9_000) }),
    cashOut: (till: typeof north, by: ReturnType<typeof input>) =>
      cashOut(till, { ...by, amount: 1 + Math.floor(random() * 9_000) }),
    points: (till: typeof north, by: ReturnType<typeof input>) =>
      redeemPoints(till, { ...by, points: 1 + Math.floor(random() * 40) }),
    sale: (till: typeof north, by: ReturnType<typeof input>) => {
      const amount = 100 + Math.floor(random() * 9_000);
      return submitSale(till, {
        ...by,
        lines: [{ plu: pick(menu).plu, name: 'Laksa “Спец”, "1\n2"', quantity: 1, unitPrice: amount, amount }],
        subtotal: amount,
        discount: 0,
        serviceCharge: 0,
        tax: 0,
        total: amount,
        payments: [{ method: pick(['cash', 'visa']), amount }],
        closedAt: new Date().toISOString(),
      });
    },
    voucher: async (till: typeof north, by: ReturnType<typeof input>) => {
      const { customerId } = by.customer;
      const voucherCode = await createVoucher(owner, merchant.id, { campaignId, customerId });
      if (random() < 0.3) return;
      await redeemVoucher(till, { ...by, voucherCode, billId: by.transactionId, bill: { amount: 2_000, lines: [] } });
    },
    void: (till: typeof north) => voidTransactions(till, { transactionIds: [pick(done) ?? 'unseen'] }),
    adjust: (_: typeof north, { customer: { customerId } }: ReturnType<typeof input>) =>
      call.customers.adjust({
        adjustmentId: newId(),
        customerId,
        part: 'principal',
        direction: 'add',
        amount: 100,
        expiresOn: null,
        reason: 'Goodwill',
      }),
    order: () => {
      const { plu, price: unitPrice } = pick(menu);
      return placeTableOrder(services, table.visit, {
        clientOrderId: newId(),
        lines: [{ plu, quantity: 2, unitPrice }],
      });
    },
    note: (_: typeof north, { customer: { customerId } }: ReturnType<typeof input>) =>
      call.customers.addNote({ customerId, text: 'Likes it hot; "extra" chili' }),
    merge: () => call.customers.merge({ keptId: pick(customers), mergedId: pick(customers) }),
  };
  const input = () => ({ transactionId: `h-${newId()}`, customer: { customerId: pick(customers) } });
  /** How often each kind of step was done, and how often it was refused. */
  const counts: Record<string, { done: number; refused: number }> = {};
  const likely = [
    'topUp',
    'topUp',
    'redeem',
    'redeem',
    'sale',
    'sale',
    'points',
    'cashOut',
    'voucher',
    'void',
    'order',
  ] as const;
  for (let n = 0; n < steps; n++) {
    const kind = n % 40 === 39 ? pick(['adjust', 'note', 'merge'] as const) : pick([...likely]);
    const by = input();
    counts[kind] ??= { done: 0, refused: 0 };
    const count = counts[kind];
    try {
      await step[kind](pick([north, south]), by);
      count.done += 1;
      done.push(by.transactionId);
    } catch (error) {
      const { cause } = error as Error;
      if (!(error instanceof DomainError) && !(cause instanceof DomainError)) throw error;
      count.refused += 1;
    }
  }
  const erased = (await createCustomer(owner, merchant.id, { pin: '4831' })).id;
  await call.customers.erase({ customerId: erased });
  return { merchant, services, staff, call, table, customers, packageId, erased, counts };
}
