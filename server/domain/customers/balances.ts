import { and, eq, exists, gt, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { profileOf } from '@/db/kinds/lists';
import { jsonArray, nullable, recordset, setTenantOfEach } from '@/db/query/expressions';
import { type Given, ofEach, prepare } from '@/db/query/queries';
import {
  customerPins,
  customers,
  lots,
  stores,
  topUpRequests,
  transactions,
  voucherCampaignStores,
  voucherCampaigns,
  vouchers,
} from '@/db/schema';
import {
  birthdayFields,
  type Customer,
  type CustomerKeyKind,
  customerCondition,
  customerKey,
  customerKeyKinds,
  customerNotFound,
} from '../identity';
import { batchLookups, inOrder, numbered } from '../kernel/batch-lookups';
import type { PosContext } from '../kernel/context';
import type { BalancePart } from '../ledger';
import { openStore, requestedStoreCodeIfAny, storeNotFound } from '../merchants';
import { balanceOfPoints } from '../points';
import { toVoucher, voucherColumns } from '../vouchers';
import type { Balances } from './balance-schemas';

/**
 * Returns a customer's balances by phone number (specification, section 4.2). Expired value is not counted. Errors:
 * `customer_not_found`, `store_forbidden`, `store_not_found`, `invalid_request` for an invalid phone number.
 */
export async function balancesByPhone(
  ctx: PosContext,
  input: { phone: string; storeCode?: string | undefined },
): Promise<Balances> {
  const storeCode = requestedStoreCodeIfAny(ctx, input.storeCode);
  return balances(ctx, customerKey(ctx, { phone: input.phone }, 'phone'), storeCode);
}

/** Returns a customer's balances by e-mail address. */
export async function balancesByEmail(
  ctx: PosContext,
  input: { email: string; storeCode?: string | undefined },
): Promise<Balances> {
  const storeCode = requestedStoreCodeIfAny(ctx, input.storeCode);
  return balances(ctx, customerKey(ctx, { email: input.email }), storeCode);
}

/**
 * Returns a customer's balances for staff, also for erased and merged customers. With a store, only the vouchers that
 * can be redeemed there.
 */
export function balancesById(
  ctx: BalancesContext,
  customerId: string,
  storeCode: string | null = null,
): Promise<Balances> {
  return balances(ctx, { kind: 'anyId', key: customerId }, storeCode);
}

type BalancesContext = Pick<PosContext, 'db' | 'clock' | 'merchant'>;

/** Without a store, includes the vouchers of all stores. Only staff can read the balances of a merged customer. */
async function balances(
  ctx: BalancesContext,
  { kind, key }: { kind: CustomerKeyKind; key: string },
  storeCode: string | null,
): Promise<Balances> {
  const row = await readBatched(
    ctx.db.reads,
    { kind },
    { merchantId: ctx.merchant.id, key, storeCode, now: ctx.clock.now() },
  );
  if (storeCode !== null && row.storeId === null) throw storeNotFound(storeCode);
  if (row.customer === null) throw customerNotFound();
  const { mergedInto } = row.customer;
  if (mergedInto !== null && kind !== 'anyId') return balances(ctx, { kind: 'id', key: mergedInto }, storeCode);
  return toBalances(ctx, toCustomer(row.customer, row.hasPin), row);
}

interface BalancesQuery {
  merchantId: string;
  key: string;
  storeCode: string | null;
  now: Date;
}

const merged = alias(customers, 'merged');

/** Reads everything in one statement. */
const read = ofEach(customerKeyKinds, (kind) =>
  prepare((db, given: Given<{ questions: ReturnType<typeof numbered<BalancesQuery>> }>) => {
    const { $rows: questions, ...question } = recordset(
      'question',
      {
        n: sql<number>`int`,
        merchantId: customers.merchantId,
        key: sql<string>`text`,
        storeCode: nullable(stores.storeCode),
        now: sql<Date>`timestamptz`,
      },
      given.questions,
    );
    const { id: merchantId, $rows: tenant, isOwn } = setTenantOfEach(question.merchantId);
    const store = openStore(db, merchantId, question.storeCode);
    const { id, joinedAt, mergedInto } = customers;
    const customer = db
      .select({ id, ...profileOf(customers), joinedAt, mergedInto })
      .from(customers)
      .where(and(eq(customers.merchantId, merchantId), customerCondition(kind, question.key)))
      .limit(1)
      .as('customer');
    const pin = db
      .select({ customerId: customerPins.customerId })
      .from(customerPins)
      .where(and(eq(customerPins.merchantId, merchantId), eq(customerPins.customerId, customer.id)))
      .limit(1)
      .as('pin');
    const byExpiry = db
      .select({ part: lots.part, amount: sql<number>`sum(${lots.remaining})`.as('amount'), expiresAt: lots.expiresAt })
      .from(lots)
      .where(
        and(
          eq(lots.merchantId, merchantId),
          eq(lots.customerId, customer.id),
          lots.open,
          or(isNull(lots.expiresAt), gt(lots.expiresAt, question.now)),
        ),
      )
      .groupBy(lots.part, lots.expiresAt)
      .orderBy(lots.expiresAt)
      .as('by_expiry');
    const { part, amount, expiresAt } = byExpiry;
    const held = db
      .select({ lots: jsonArray({ part, amount, expiresAt }).as('open_lots') })
      .from(byExpiry)
      .as('held');
    const isForStore = db
      .select({ storeId: voucherCampaignStores.storeId })
      .from(voucherCampaignStores)
      .where(
        and(
          eq(voucherCampaignStores.merchantId, merchantId),
          eq(voucherCampaignStores.campaignId, voucherCampaigns.id),
          eq(voucherCampaignStores.storeId, store.id),
        ),
      );
    const usable = db
      .select(voucherColumns)
      .from(vouchers)
      .innerJoin(
        voucherCampaigns,
        and(eq(voucherCampaigns.merchantId, vouchers.merchantId), eq(voucherCampaigns.id, vouchers.campaignId)),
      )
      .where(
        and(
          eq(vouchers.merchantId, merchantId),
          eq(vouchers.customerId, customer.id),
          isNull(vouchers.redeemedAt),
          isNull(vouchers.cancelledAt),
          or(isNull(vouchers.expiresAt), gt(vouchers.expiresAt, question.now)),
          or(isNull(voucherCampaigns.validFrom), lte(voucherCampaigns.validFrom, question.now)),
          or(voucherCampaigns.allStores, isNull(store.id), exists(isForStore)),
        ),
      )
      .orderBy(sql`${vouchers.expiresAt} nulls last`, vouchers.id)
      .limit(200)
      .as('usable');
    const offered = db
      .select({ vouchers: jsonArray(usable._.selectedFields).as('usable_vouchers') })
      .from(usable)
      .as('offered');
    const r = topUpRequests;
    const inProgress = db
      .select({ amount: r.principal, bonus: r.bonus, startedAt: r.processingSince, endsBy: r.processingUntil })
      .from(r)
      .where(
        and(
          eq(r.merchantId, merchantId),
          eq(r.customerId, customer.id),
          eq(r.state, 'open').inlineParams(),
          isNotNull(r.processingSince),
        ),
      )
      .orderBy(r.processingSince)
      .limit(20)
      .as('in_progress');
    const pending = db
      .select({ topUps: jsonArray(inProgress._.selectedFields).as('pending_top_ups') })
      .from(inProgress)
      .as('pending');
    const duplicates = db
      .select({ id: merged.id })
      .from(merged)
      .where(and(eq(merged.merchantId, merchantId), eq(merged.mergedInto, customer.id)));
    const debts = db
      .select({ owed: sql<number>`coalesce(sum(${transactions.pointsShortfall}), 0)::bigint`.as('owed') })
      .from(transactions)
      .where(
        and(
          eq(transactions.merchantId, merchantId),
          sql`${transactions.customerId} = any(array(${duplicates} union all select ${customer.id}))`,
          gt(transactions.pointsShortfall, 0).inlineParams(),
        ),
      )
      .as('debts');
    return db
      .select({
        n: question.n,
        isOwn,
        storeId: store.id,
        customer: {
          id: customer.id,
          ...profileOf(customer),
          joinedAt: customer.joinedAt,
          mergedInto: customer.mergedInto,
        },
        hasPin: sql<boolean>`${pin.customerId} is not null`,
        lots: held.lots,
        vouchers: offered.vouchers,
        owed: debts.owed,
        topUps: pending.topUps,
      })
      .from(questions)
      .crossJoin(tenant)
      .leftJoinLateral(store, sql`true`)
      .leftJoinLateral(customer, sql`true`)
      .leftJoinLateral(pin, sql`true`)
      .leftJoinLateral(held, sql`true`)
      .leftJoinLateral(offered, sql`true`)
      .leftJoinLateral(debts, sql`true`)
      .leftJoinLateral(pending, sql`true`);
  }),
);

type Row = Awaited<ReturnType<(typeof read)['id']>>[number];

interface Scope extends Record<string, string> {
  kind: CustomerKeyKind;
}

const readBatched = batchLookups(async (reads, { kind }: Scope, questions: BalancesQuery[]) =>
  inOrder(await read[kind](reads, { questions: numbered(questions) })),
);

function toBalances(
  { merchant }: BalancesContext,
  customer: Customer,
  { lots: held, vouchers: usable, owed, topUps }: Pick<Row, 'lots' | 'vouchers' | 'owed' | 'topUps'>,
): Balances {
  const total = (part: BalancePart) =>
    (held ?? []).reduce((sum, lot) => (lot.part === part ? sum + lot.amount : sum), 0);
  const expiring = (part: BalancePart) =>
    (held ?? []).flatMap(({ part: of, amount, expiresAt }) =>
      of === part && expiresAt !== null ? [{ amount, expiresAt: new Date(expiresAt).toISOString() }] : [],
    );
  const principal = total('principal');
  const bonus = total('bonus');
  return {
    customer,
    pinRequired: merchant.pinRequired,
    currency: merchant.currency,
    storedValue: { balance: principal + bonus, principal, bonus, expiring: expiring('bonus') },
    topUpsInProgress: (topUps ?? []).map(({ startedAt, endsBy, ...topUp }) => ({
      ...topUp,
      startedAt: new Date(startedAt as string).toISOString(),
      endsBy: endsBy === null ? null : new Date(endsBy).toISOString(),
    })),
    points: {
      ...balanceOfPoints(total('points'), merchant),
      pointValue: merchant.pointValue,
      minRedeemPoints: merchant.minRedeemPoints,
      owed: owed ?? 0,
      expiring: expiring('points').map(({ amount, expiresAt }) => ({ points: amount, expiresAt })),
    },
    vouchers: (usable ?? []).map(toVoucher),
  };
}

const toCustomer = (
  { id, joinedAt, mergedInto, ...customer }: NonNullable<Row['customer']>,
  hasPin: boolean,
): Customer => ({
  customerId: id,
  ...customer,
  ...birthdayFields(customer.birthday),
  joinedAt: joinedAt.toISOString(),
  hasPin,
});
