/** Creates a month of activity for a demo merchant, up to now, through the use cases that a POS and diners call. */

import { and, eq, isNull, sql } from 'drizzle-orm';
import { appRole, connectDatabase, openSql, queriesOn, withMerchant } from '@/db/driver';
import type { Queries } from '@/db/query/queries';
import { customers, diningTables, transactions, vouchers } from '@/db/schema';
import { seedCampaigns } from '@/db/seed/demo-campaigns';
import type { DemoMerchant } from '@/db/seed/demo-data';
import { seedId } from '@/db/seed/seed-id';
import { authenticateKey } from '@/server/domain/access';
import { putBill } from '@/server/domain/bills';
import { newCardToken } from '@/server/domain/floor';
import { requestedStore } from '@/server/domain/merchants';
import { redeemPoints } from '@/server/domain/points';
import { generateQrCode, placeOrder, setOrderStatus } from '@/server/domain/qr-ordering';
import { submitSale } from '@/server/domain/sales';
import { seedTestData } from '@/server/domain/sandbox';
import { stockOut } from '@/server/domain/stock-outs';
import { listPackages, redeemStoredValue } from '@/server/domain/stored-value';
import { topUp } from '@/server/domain/top-ups';
import { issueVoucher, redeemVoucher } from '@/server/domain/vouchers';
import type { PutBillInput } from '../domain/bills/schemas';
import type { PosContext, Services } from '../domain/kernel/context';
import { DomainError } from '../domain/kernel/errors';
import { deriveKeys, hashToken } from '../domain/kernel/secrets';

const days = 30;
const salesADay = 9;
const minuteMs = 60_000;

interface Actors {
  ownerUrl: string;
  dataSecret: string;
  publicOrigin: string;
  /** One key per store. */
  storeKeys: string[];
}

/** Seeds vouchers and open tables at every start; sales, top-ups and redemptions only if there are none. */
export async function seedActivity(merchant: DemoMerchant, actors: Actors): Promise<void> {
  const owner = openSql(actors.ownerUrl);
  const queries = queriesOn(owner);
  const db = connectDatabase(actors.ownerUrl, { role: appRole, max: 4 });
  let now = new Date();
  const clock = { now: () => now };
  const services: Services = {
    db,
    clock,
    systemClock: clock,
    ...deriveKeys(actors.dataSecret),
    environment: 'sandbox',
    publicOrigin: actors.publicOrigin,
    cell: null,
    messenger: 'inbox',
    mailer: 'inbox',
    codeBudget: { perHour: 5_000, perDay: 50_000 },
    archiveKeys: { own: null, accepted: [] },
    cardPayments: null,
  };
  try {
    const tills = await Promise.all(actors.storeKeys.map((key) => authenticateKey(services, key)));
    const customerIds = await firstCustomers(queries, merchant);
    const [sale] = await queries
      .select({ uid: transactions.uid })
      .from(transactions)
      .where(and(eq(transactions.merchantId, merchant.id), eq(transactions.type, 'sale')))
      .limit(1);
    const today = now;
    if (!sale) now = new Date(today.getTime() - ((days - 1) * 24 + 2) * 60 * minuteMs);
    await giveVouchers(queries, tills, merchant, customerIds);
    if (!sale) {
      for (let day = days - 1; day >= 0; day--) {
        const since = (minutes: number) => {
          now = new Date(today.getTime() - (day * 24 * 60 + minutes) * minuteMs);
        };
        await liveOneDay(queries, tills, merchant, customerIds, day, since);
      }
      now = today;
      const soldOut = Object.values(merchant.menu).at(-1)?.at(-1)?.[0];
      if (soldOut && tills[0]) await stockOut(tills[0], { plus: [soldOut] });
    }
    for (const till of tills) {
      await layFloor(services, till);
      await openTables(services, till, merchant);
    }
    if (tills[0]) await seedTestData(tills[0]);
  } finally {
    await Promise.all([db.close(), owner.end()]);
  }
}

/** Ignores refusals: a demo diner may have a full balance, or want a sold-out dish. */
function unlessRefused(error: unknown): void {
  if (!(error instanceof DomainError)) throw error;
}

async function firstCustomers(queries: Queries, merchant: DemoMerchant): Promise<string[]> {
  const rows = await queries
    .select({ id: customers.id })
    .from(customers)
    .where(eq(customers.merchantId, merchant.id))
    .orderBy(customers.phone)
    .limit(merchant.customers.count);
  return rows.map(({ id }) => id);
}

async function giveVouchers(queries: Queries, [till]: PosContext[], merchant: DemoMerchant, customerIds: string[]) {
  const campaignIds = await seedCampaigns(queries, merchant);
  if (!till) return;
  await withMerchant(till.db, merchant.id, async (tx) => {
    for (const customerId of customerIds) {
      for (const campaignId of campaignIds) {
        await issueVoucher(tx, till.merchant, { campaignId, customerId, occasion: 'demo', now: till.clock.now() });
      }
    }
  });
}

async function liveOneDay(
  queries: Queries,
  tills: PosContext[],
  merchant: DemoMerchant,
  customerIds: string[],
  day: number,
  since: (minutes: number) => void,
): Promise<void> {
  const items = Object.values(merchant.menu).flat();
  for (let n = 0; n < salesADay; n++) {
    since((salesADay - n) * 6);
    const till = tills[(n + day) % tills.length] as PosContext;
    const pick = (of: number, salt: number) => (day * 31 + n * 17 + salt * 7) % of;
    const lines = Array.from({ length: 1 + pick(4, 1) }, (_, line) => {
      const [plu, name, unitPrice] = items[pick(items.length, line + 3)] as (typeof items)[0];
      const quantity = 1 + pick(2, line);
      return { plu, name, quantity, unitPrice, amount: unitPrice * quantity };
    });
    const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0);
    const customerId = customerIds[pick(customerIds.length, 5)];
    // Every third customer stays anonymous.
    const customer = n % 3 === 2 || !customerId ? undefined : { customerId };
    const id = `${day}-${n}`;
    const discount =
      n === 4 && customerId ? await redeemOnBill(queries, till, customerId, { amount: subtotal, lines }, id) : 0;
    const total = subtotal - discount;
    await submitSale(till, {
      transactionId: `demo-sale-${id}`,
      billId: `demo-${id}`,
      customer,
      lines,
      subtotal,
      discount,
      serviceCharge: 0,
      tax: 0,
      total,
      payments: [{ method: n % 2 === 0 ? 'visa' : 'cash', amount: total }],
      closedAt: till.clock.now().toISOString(),
    });
    if (n % 4 === 0 && customerId) await payWithStoredValue(till, customerId, total, id, pick);
    if (n === 6 && customerId) {
      const points = 50 * (1 + pick(3, 6));
      await redeemPoints(till, { transactionId: `demo-points-${id}`, customer: { customerId }, points }).catch(
        unlessRefused,
      );
    }
  }
}

/** Redeems the best of the customer's vouchers on the bill, if any fits. */
async function redeemOnBill(
  queries: Queries,
  till: PosContext,
  customerId: string,
  bill: { amount: number; lines: { plu: string; quantity: number; unitPrice: number }[] },
  id: string,
): Promise<number> {
  // The order is the same at each start, and begins with another campaign for each customer.
  const unused = await queries
    .select({ voucherCode: vouchers.voucherCode })
    .from(vouchers)
    .where(
      and(eq(vouchers.merchantId, till.merchant.id), eq(vouchers.customerId, customerId), isNull(vouchers.redeemedAt)),
    )
    .orderBy(sql`md5(${vouchers.customerId}::text || ${vouchers.campaignId})`);
  const lines = bill.lines.map(({ plu, quantity, unitPrice }) => ({ plu, quantity, unitPrice }));
  for (const { voucherCode } of unused) {
    const redemption = {
      transactionId: `demo-voucher-${id}`,
      billId: `demo-${id}`,
      customer: { customerId },
      voucherCode,
      bill: { amount: bill.amount, lines },
    };
    const fits = await redeemVoucher(till, { ...redemption, dryRun: true }).catch(unlessRefused);
    if (fits) return (await redeemVoucher(till, redemption)).discount.amount;
  }
  return 0;
}

async function payWithStoredValue(
  till: PosContext,
  customerId: string,
  amount: number,
  id: string,
  pick: (of: number, salt: number) => number,
): Promise<void> {
  const customer = { customerId };
  const { packages } = await listPackages(till, { storeCode: till.boundStore?.storeCode ?? '' });
  const offer = packages[pick(packages.length, 2)];
  if (offer && pick(5, 4) < 3) {
    const { packageId, minAmount } = offer;
    const paid = minAmount === null ? undefined : minAmount * (1 + pick(4, 8));
    await topUp(till, { transactionId: `demo-top-up-${id}`, customer, packageId, amount: paid }).catch(unlessRefused);
  }
  await redeemStoredValue(till, {
    transactionId: `demo-redeem-${id}`,
    customer,
    amount,
    allowPartial: true,
    billId: `demo-${id}`,
  }).catch(unlessRefused);
}

const areas = { 'Main room': [1, 2, 3, 4, 5, 6, 7, 8], Terrace: [9, 10, 11, 12] };

/** Gives a till's store its tables, with their cards. */
async function layFloor({ db, tokenKey }: Services, till: PosContext): Promise<void> {
  const merchantId = till.merchant.id;
  const { id: storeId } = await requestedStore(till, undefined);
  const rows = Object.entries(areas).flatMap(([area, numbers]) =>
    numbers.map((number) => {
      const id = seedId(storeId, `table ${number}`);
      const tokenHash = hashToken(newCardToken(tokenKey, { id, cardNumber: 1 }));
      return { merchantId, id, storeId, name: String(number), area, seats: 4, tokenHash };
    }),
  );
  await withMerchant(db, merchantId, (tx) => tx.db.insert(diningTables).values(rows).onConflictDoNothing());
}

/** Opens three tables. Diners have ordered at two of them, and the till has sent the bill of one. */
async function openTables(services: Services, till: PosContext, merchant: DemoMerchant): Promise<void> {
  const items = Object.values(merchant.menu).flat();
  for (const table of [3, 7, 12]) {
    const code = await generateQrCode(till, {
      billId: `demo-table-${table}`,
      table: String(table),
      guests: 2,
      expiresInMinutes: 1440,
    });
    if (table === 12) continue;
    const ordered = [0, 1].map((n) => {
      const [plu = '', name = '', unitPrice = 0] = items[(table * 3 + n) % (items.length - 2)] ?? [];
      return { plu, name, unitPrice, quantity: 1 + n };
    });
    const lines = ordered.map(({ name, ...line }) => line);
    const clientOrderId = seedId(code.qrCodeId, 'order');
    try {
      const diners = { merchantId: merchant.id, qrCodeId: code.qrCodeId };
      const { orderId } = await placeOrder(services, diners, { clientOrderId, lines });
      if (table !== 7) continue;
      await setOrderStatus(till, { orderId, status: 'accepted' });
      await putBill(till, billOf(code, ordered, merchant.currency));
    } catch (error) {
      unlessRefused(error);
    }
  }
}

function billOf(
  { billId, table }: { billId: string; table: string | null },
  ordered: { plu: string; name: string; unitPrice: number; quantity: number }[],
  currency: string,
): PutBillInput {
  const lines = ordered.map((line) => ({ ...line, amount: line.quantity * line.unitPrice }));
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  const sums = { subtotal: total, discount: 0, serviceCharge: 0, tax: 0, total };
  return { billId, revision: 1, table: table ?? undefined, currency, lines, ...sums };
}
