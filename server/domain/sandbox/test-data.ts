/** Writes the demo's test data: at each start of the demo, and after a reset. */

import { and, count, eq, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { only } from '@/db/query/queries';
import {
  balances,
  billPayments,
  bills,
  customerPins,
  customers,
  orderLines,
  orders,
  qrCodes,
  stores,
  topUpRequests,
  transactions,
  voucherCampaigns,
  vouchers,
} from '@/db/schema';
import { demoMerchants } from '@/db/seed/demo-data';
import { seedId } from '@/db/seed/seed-id';
import {
  type TestCustomer,
  testCounterCode,
  testCustomers,
  testOrdering,
  testTransactionIds,
  testVouchers,
} from '@/db/seed/test-data';
import type { Merchant, PosContext, Services, Store } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { hashToken, sealPin } from '../kernel/secrets';
import { postEntries } from '../ledger';
import { newTokenOf } from '../qr-ordering';
import { redeemStoredValue } from '../stored-value';
import { topUp } from '../top-ups';
import { redeemVoucher } from '../vouchers';

const [demo] = demoMerchants;
const everyone: TestCustomer[] = Object.values(testCustomers);
const ids = everyone.map(({ id }) => id);
const packageId = seedId(demo.id, 'package', 0);
const storeIdOf = (storeCode: string) => seedId(demo.id, 'store', storeCode);
const dayMs = 24 * 60 * 60_000;

/** Only the first merchant of the demo has test data. */
export const hasTestData = ({ id }: Pick<Merchant, 'id'>): boolean => id === demo.id;

/** Writes the missing test data of the context's merchant. */
export async function seedTestData(ctx: PosContext): Promise<void> {
  if (!hasTestData(ctx.merchant)) return;
  await withMerchant(ctx.db, ctx.merchant.id, (tx) => seedTestRows(tx, ctx));
  await seedTestTransactions(ctx);
}

/** Writes the missing rows: customers with value, vouchers, a counter code, and a table's code with an order. */
export async function seedTestRows(tx: Tx, services: Services): Promise<void> {
  const now = services.clock.now();
  // Someone has enrolled other customers with these numbers, who must not be changed.
  if (!(await seedCustomers(tx, services, now))) return;
  await seedValue(tx, now);
  await seedVouchers(tx, now);
  await seedCounterCode(tx, now);
  await seedTable(tx, services, now);
  await seedBills(tx, now);
}

/** Sends the transactions that examples look up and void. They are sent once, by their ids. */
export async function seedTestTransactions(ctx: PosContext): Promise<void> {
  const { storeCode } = testOrdering;
  const boundStore: Store = { id: storeIdOf(storeCode), storeCode, name: '' };
  const till = { ...ctx, boundStore };
  const [voidedTopUp, voidedRedemption] = testTransactionIds.voids;
  const { lookUp, voids } = testCustomers;
  const [tenPercentUsed = ''] = testVouchers.flatMap(({ isUsed, voucherCode }) => (isUsed ? [voucherCode] : []));
  const steps = [
    () => topUp(till, { transactionId: testTransactionIds.lookUp, customer: { customerId: lookUp.id }, packageId }),
    () => topUp(till, { transactionId: voidedTopUp, customer: { customerId: voids.id }, packageId }),
    () => redeemStoredValue(till, { transactionId: voidedRedemption, customer: { customerId: voids.id }, amount: 450 }),
    () =>
      redeemVoucher(till, {
        transactionId: testTransactionIds.usedVoucher,
        customer: { customerId: lookUp.id },
        voucherCode: tenPercentUsed,
        bill: { amount: 5_000 },
      }),
  ];
  for (const step of steps) await step().catch(unlessRefused);
}

/** Someone may have voided one of them. */
function unlessRefused(error: unknown): void {
  if (!(error instanceof DomainError)) throw error;
}

/** Returns false if one of them is missing, because another customer has the phone number or e-mail address. */
async function seedCustomers({ merchantId, db }: Tx, { pinKey }: Services, now: Date): Promise<boolean> {
  const rows = everyone.map(({ id, givenName, lastName, phone, email, birthday }) => ({
    merchantId,
    id,
    givenName,
    lastName,
    phone,
    email,
    birthday,
    joinedAt: new Date(now.getTime() - 90 * dayMs),
  }));
  const pins = everyone.flatMap(({ id, pin }) =>
    pin === undefined ? [] : [{ merchantId, customerId: id, hash: sealPin(pinKey, id, pin) }],
  );
  await db.insert(customers).values(rows).onConflictDoNothing();
  const isTest = and(eq(customers.merchantId, merchantId), anyOf(customers.id, ids));
  if (only(await db.select({ found: count() }).from(customers).where(isTest)).found < ids.length) return false;
  await db
    .insert(balances)
    .values(everyone.map(({ id, isBlocked }) => ({ merchantId, customerId: id, blockedAt: isBlocked ? now : null })))
    .onConflictDoNothing();
  await db.insert(customerPins).values(pins).onConflictDoNothing();
  return true;
}

/** Tops customers up to what they should hold. */
async function seedValue(tx: Tx, now: Date): Promise<void> {
  const { merchantId, db } = tx;
  const { customerId, principal, points } = balances;
  const held = await db
    .select({ customerId, principal, points })
    .from(balances)
    .where(and(eq(balances.merchantId, merchantId), anyOf(customerId, ids)))
    .orderBy(customerId)
    .for('update');
  for (const balance of held) {
    const wanted = everyone.find(({ id }) => id === balance.customerId);
    for (const part of ['principal', 'points'] as const) {
      const amount = (wanted?.[part] ?? 0) - balance[part];
      if (amount > 0) await grant(tx, { customerId: balance.customerId, part, amount, now });
    }
  }
}

interface Grant {
  customerId: string;
  part: 'principal' | 'points';
  amount: number;
  now: Date;
}

async function grant(tx: Tx, { customerId, part, amount, now }: Grant): Promise<void> {
  const { merchantId, db } = tx;
  const uid = newId(now.getTime());
  const lotId = newId();
  const owner = { transactionUid: uid, customerId, createdAt: now };
  await db.insert(transactions).values({
    merchantId,
    uid,
    type: 'adjustment',
    status: 'completed',
    customerId,
    amount,
    occurredAt: now,
    createdAt: now,
  });
  await postEntries(
    tx,
    [{ ...owner, lotId, part, kind: 'adjustment', amount }],
    [{ ...owner, id: lotId, part, amount, expiresAt: null }],
  );
}

async function seedVouchers({ merchantId, db }: Tx, now: Date): Promise<void> {
  const issuedAt = new Date(now.getTime() - dayMs);
  for (const { voucherCode, campaign, isExpired } of testVouchers) {
    const campaignId = seedId(demo.id, 'campaign', campaign);
    const row = {
      merchantId,
      id: newId(),
      campaignId,
      customerId: testCustomers.lookUp.id,
      voucherCode,
      occasion: voucherCode,
      issuedAt,
      expiresAt: isExpired ? new Date(now.getTime() - 60_000) : null,
    };
    const issued = await db.insert(vouchers).values(row).onConflictDoNothing().returning({ id: vouchers.id });
    await db
      .update(voucherCampaigns)
      .set({ issuedCount: sql`${voucherCampaigns.issuedCount} + ${issued.length}` })
      .where(and(eq(voucherCampaigns.merchantId, merchantId), eq(voucherCampaigns.id, campaignId)));
  }
}

async function seedCounterCode({ merchantId, db }: Tx, now: Date): Promise<void> {
  const customerId = testCustomers.topUp.id;
  const row = {
    merchantId,
    id: newId(),
    requestKey: newId(),
    customerId,
    packageId,
    principal: 10_000,
    bonus: 2_000,
    bonusExpiresInDays: 90,
    method: 'counter' as const,
    counterCode: testCounterCode,
    createdAt: now,
    expiresAt: new Date(now.getTime() + 3_650 * dayMs),
  };
  await db.insert(topUpRequests).values(row).onConflictDoNothing();
}

async function seedTable({ merchantId, db }: Tx, { tokenKey }: Services, now: Date): Promise<void> {
  const { storeCode, qrCodeId, billId, table, guests, orderId, lines } = testOrdering;
  const storeId = storeIdOf(storeCode);
  const [code] = await db
    .insert(qrCodes)
    .values({
      merchantId,
      id: qrCodeId,
      storeId,
      billId,
      table,
      guests,
      createdAt: now,
      tokenHash: hashToken(newTokenOf(tokenKey, qrCodeId)),
      expiresAt: new Date(now.getTime() + dayMs),
    })
    .onConflictDoNothing()
    .returning({ id: qrCodes.id });
  if (!code) return;
  const { number } = only(
    await db
      .update(stores)
      .set({ lastOrderNumber: sql`${stores.lastOrderNumber} + 1` })
      .where(and(eq(stores.merchantId, merchantId), eq(stores.id, storeId)))
      .returning({ number: stores.lastOrderNumber }),
  );
  const total = lines.reduce((sum, { quantity, unitPrice }) => sum + quantity * unitPrice, 0);
  await db.insert(orders).values({
    merchantId,
    id: orderId,
    storeId,
    qrCodeId,
    number,
    clientOrderId: orderId,
    total,
    placedAt: now,
    updatedAt: now,
  });
  await db.insert(orderLines).values(
    lines.map((line, position) => ({
      merchantId,
      orderId,
      position,
      ...line,
      amount: line.quantity * line.unitPrice,
    })),
  );
}

/** Open bills: one with an earlier revision than its example's, and one that a diner has paid. */
async function seedBills({ merchantId, db }: Tx, now: Date): Promise<void> {
  const { storeCode, table, openBillId, mistakenBillId, paidBillId, paymentId, lines } = testOrdering;
  const billLines = lines.map(({ note, ...line }) => ({ ...line, amount: line.quantity * line.unitPrice }));
  const total = billLines.reduce((sum, { amount }) => sum + amount, 0);
  const sums = { subtotal: total, discount: 0, serviceCharge: 0, tax: 0, rounding: 0, total };
  const isPayment = and(eq(billPayments.merchantId, merchantId), eq(billPayments.id, paymentId));
  const known = await db.select({ id: billPayments.id }).from(billPayments).where(isPayment);
  // Its payment has one id, so that a paid bill which has ended is not written again.
  const numbers = known.length > 0 ? [openBillId, mistakenBillId] : [openBillId, mistakenBillId, paidBillId];
  const rows = numbers.map((number) => ({
    merchantId,
    id: newId(),
    storeId: storeIdOf(storeCode),
    billId: number,
    revision: 1,
    table,
    ...sums,
    lines: billLines,
    requestHash: Buffer.alloc(32),
    countsFrom: now,
    sentAt: now,
    createdAt: now,
    updatedAt: now,
  }));
  const inserted = await db
    .insert(bills)
    .values(rows)
    .onConflictDoNothing()
    .returning({ id: bills.id, billId: bills.billId });
  const paid = inserted.find(({ billId }) => billId === paidBillId);
  if (!paid) return;
  const all = { amount: total, keptAmount: total, checkoutEnded: true };
  const payment = { merchantId, id: paymentId, billUid: paid.id, state: 'taken' as const, ...all };
  await db.insert(billPayments).values({ ...payment, heldUntil: now, createdAt: now, takenAt: now });
  await db
    .update(bills)
    .set({ paidAmount: total, limitAmount: total })
    .where(and(eq(bills.merchantId, merchantId), eq(bills.id, paid.id)));
}
