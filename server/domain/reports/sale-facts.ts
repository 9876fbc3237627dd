/** Breaks sales down by item, hour, payment method, staff, source and the tax in their prices. */
import { and, between, eq, exists, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { SaleDimension, SaleSource } from '@/db/kinds/lists';
import type { Queries } from '@/db/query/queries';
import { orders, qrCodes, saleLines, salePayments, sales } from '@/db/schema';
import type { StoreDays } from '../kernel/calendar';
import { type Booked, hourAt, storeDateAt } from './facts';

/** Sums booked or voided sales by day, store, and what each dimension breaks them down by. */
export function saleFacts(db: Queries, days: StoreDays, bookedRows: Booked) {
  const booked = bookedRows.as('booked');
  const bill = { label: sql`''`, quantity: sql`1`, amount: sql`abs(${booked.amount})` };
  /** The count is negative for a void. */
  const sums = (dimension: SQL<SaleDimension>, of: { key: SQL; label: SQL; quantity: SQL; amount: SQL }) =>
    db
      .select({
        dimension: dimension.as('dimension'),
        day: storeDateAt(booked.at, days, booked.storeId).as('day'),
        storeId: sql<string>`${booked.storeId}`.as('store_id'),
        key: sql<string>`${of.key}`.as('key'),
        label: sql<string>`${of.label}`.as('label'),
        quantity: sql<number>`sum(${of.quantity} * ${booked.count})`.as('quantity'),
        amount: sql<number>`sum(${of.amount} * ${booked.count})::bigint`.as('amount'),
      })
      .from(booked)
      .where(eq(booked.type, 'sale').inlineParams())
      .groupBy(sql`1, 2, 3, 4, 5`);
  const ofSale = (table: typeof saleLines | typeof salePayments | typeof sales) =>
    and(eq(table.merchantId, booked.merchantId), eq(table.transactionUid, booked.uid));
  // `offset 0` makes the planner read this for each sale, also where it expects many sales.
  const { plu, name, quantity, amount } = saleLines;
  const lines = db
    .select({ plu, name, quantity, amount })
    .from(saleLines)
    .where(ofSale(saleLines))
    .offset(0)
    .as('lines');
  const payments = db
    .select({ method: salePayments.method, amount: salePayments.amount })
    .from(salePayments)
    .where(ofSale(salePayments))
    .offset(0)
    .as('payments');
  const taxes = db
    .select({
      rate: sql<string>`coalesce(tax.rate::text, '')`.as('tax_rate'),
      amount: sql<number>`tax.amount`.as('tax_amount'),
    })
    .from(sales)
    .crossJoinLateral(sql`jsonb_to_recordset(${sales.taxIncluded}) as tax (rate numeric, amount bigint)`)
    .where(ofSale(sales))
    .offset(0)
    .as('taxes');
  // Only orders until the sale, so that a sale and its void find the same ones.
  const hasOrders = exists(
    db
      .select({ id: orders.id })
      .from(qrCodes)
      .innerJoin(orders, and(eq(orders.merchantId, qrCodes.merchantId), eq(orders.qrCodeId, qrCodes.id)))
      .where(
        and(
          eq(qrCodes.merchantId, booked.merchantId),
          eq(qrCodes.storeId, booked.storeId),
          eq(qrCodes.billId, booked.billId),
          between(orders.placedAt, sql`${booked.occurredAt} - interval '1 day'`, booked.occurredAt),
        ),
      ),
  );
  const [phone, staff] = [literal('phone'), literal('staff')];
  const item = { key: sql`${lines.plu}`, label: sql`${lines.name}`, quantity: sql`${lines.quantity}` };
  // In one pass over the sales, because each pass finds their corrections again.
  const ofBill = sql`(values
    (${literal('hour')}, ${hourAt(booked.at, days)}),
    (${literal('source')}, case when ${and(isNotNull(booked.billId), hasOrders)} then ${phone} else ${staff} end),
    (${literal('staff')}, coalesce(${booked.staffId}, ''))
  ) as of_bill (dimension, key)`;
  return sums(literal('item'), { ...item, amount: sql`${lines.amount}` })
    .$dynamic()
    .crossJoinLateral(lines)
    .unionAll(
      sums(literal('payment'), { ...bill, key: sql`${payments.method}`, amount: sql`${payments.amount}` })
        .$dynamic()
        .crossJoinLateral(payments),
    )
    .unionAll(
      sums(literal('tax'), { ...bill, key: sql`${taxes.rate}`, amount: sql`${taxes.amount}` })
        .$dynamic()
        .crossJoinLateral(taxes),
    )
    .unionAll(
      sums(sql<SaleDimension>`of_bill.dimension`, { ...bill, key: sql`of_bill.key` })
        .$dynamic()
        .crossJoinLateral(ofBill),
    );
}

const literal = (value: SaleDimension | SaleSource) => sql.raw(`'${value}'`) as SQL<SaleDimension>;
