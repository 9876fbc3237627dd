/** Compares what we think was paid and returned by card with what the payment service's balance says. */
import { isDeepStrictEqual } from 'node:util';
import { subDays, subHours } from 'date-fns';
import { and, eq, gte, isNotNull, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { connectedMerchants, merchantsWithCardPayments } from '@/db/query/functions';
import { auditLog, billPayments, cardDisputes, merchants, topUpRequests } from '@/db/schema';
import { checkCardAccount } from '../card-accounts';
import { auditChange } from '../kernel/audit';
import type { PaymentSums } from '../kernel/card-payments';
import type { Services } from '../kernel/context';
import { forEachInTurn } from '../kernel/each-in-turn';
import { firstIdAt } from '../kernel/ids';
import { readMerchantNow } from '../merchants';
import { followReport } from './follow-report';

const comparedDays = 40;
/** What moved within this time may be on one side only. */
const settlingHours = 1;

/** The action of the audit log that names a difference. */
export const differenceAction = 'cardPayment.differs';

/** A payment as we know it, in minor units. */
interface KnownPayment {
  paymentId: string;
  /** The connected account that it is on; null for the operator's own. */
  accountId: string | null;
  subject: { kind: 'topUpRequest' | 'bill'; id: string };
  paid: number;
  returned: number;
  isDisputed: boolean;
  at: Date;
}

/** What each account's balance says of its payments, by the account's id; null for the operator's own. */
type Told = ReadonlyMap<string | null, ReadonlyMap<string, PaymentSums>>;

/**
 * Compares the card payments of the last 40 days, for all merchants. What differs is asked for again, as if its event had come: this
 * finds lost events of payments, refunds and disputes. What still differs is written into the audit log with both sides, once. Merchants'
 * own accounts are asked how they stand, too. Errors: `service_unavailable`; the first fault, after all other merchants.
 */
export async function reconcileCardPayments(services: Services): Promise<void> {
  const { db, cardPayments, systemClock } = services;
  if (!cardPayments) return;
  const now = systemClock.now();
  const since = subDays(now, comparedDays);
  const own = (await cardPayments.on(null).listMovements(since)) ?? new Map<string, PaymentSums>();
  const { $rows, merchantId } = merchantsWithCardPayments({ since, firstId: firstIdAt(since) });
  const connected = connectedMerchants({});
  const subjects = await db.pool
    .select({ merchantId })
    .from($rows)
    .union(db.pool.select({ merchantId: connected.merchantId }).from(connected.$rows));
  const known = new Set<string>();
  const compareOne = async ({ merchantId: id }: { merchantId: string }) => {
    await checkCardAccount(services, id);
    const told = await listMovements(services, id, { own, since });
    for (const paymentId of await compare(services, id, told, { since, now })) known.add(paymentId);
    for (const [accountId, sums] of told) if (accountId !== null) await askUnknown(services, accountId, sums, known);
  };
  await forEachInTurn(subjects, compareOne, services.stopping);
  await askUnknown(services, null, own, known);
}

/** Returns what the accounts say that the merchant's payments are on. One that is no longer connected says nothing. */
async function listMovements(
  { db, cardPayments }: Services,
  merchantId: string,
  { own, since }: { own: Map<string, PaymentSums>; since: Date },
): Promise<Told> {
  const told = new Map<string | null, Map<string, PaymentSums>>([[null, own]]);
  const accounts = await withMerchant(db, merchantId, async (tx) => [
    (await readMerchantAccount(tx)) ?? null,
    ...(await selectKnown(tx, since, [])).map(({ accountId }) => accountId),
  ]);
  for (const accountId of new Set(accounts)) {
    if (accountId === null) continue;
    const sums = await cardPayments?.on(accountId).listMovements(since);
    if (sums) told.set(accountId, sums);
  }
  return told;
}

async function readMerchantAccount({ merchantId, db }: Tx): Promise<string | null | undefined> {
  const [row] = await db.select({ id: merchants.cardAccountId }).from(merchants).where(eq(merchants.id, merchantId));
  return row?.id;
}

/** Follows payments that say they are ours, of which no event ever came; and refunds of older ones, which say nothing. */
async function askUnknown(
  services: Services,
  accountId: string | null,
  sums: ReadonlyMap<string, PaymentSums>,
  known: ReadonlySet<string>,
): Promise<void> {
  const unknown = [...sums].filter(([id, { told, paid }]) => (told !== null || paid === 0) && !known.has(id));
  const follow = ([paymentId, one]: [string, PaymentSums]) => ask(services, { paymentId, accountId }, one);
  await forEachInTurn(unknown, follow, services.stopping);
}

const ask = (
  services: Services,
  { paymentId, accountId }: Pick<KnownPayment, 'paymentId' | 'accountId'>,
  { told, isDisputed }: Pick<PaymentSums, 'told' | 'isDisputed'>,
) => followReport(services, { told, paymentId, accountId, checkoutId: undefined, isOfDispute: isDisputed });

interface Period {
  since: Date;
  now: Date;
}

/** Returns the ids of the merchant's payments. */
async function compare(services: Services, merchantId: string, told: Told, period: Period): Promise<string[]> {
  const { db } = services;
  const named = [...told.values()].flatMap((sums) => [...sums.keys()]);
  const thereOf = ({ accountId, paymentId }: KnownPayment) => told.get(accountId)?.get(paymentId);
  const isDiffering = (one: KnownPayment) => told.has(one.accountId) && differs(one, thereOf(one), period);
  const known = await withMerchant(db, merchantId, (tx) => selectKnown(tx, period.since, named));
  const differing = known.filter(isDiffering);
  await forEachInTurn(
    differing,
    (one) => ask(services, one, thereOf(one) ?? { told: null, isDisputed: false }),
    services.stopping,
  );
  if (differing.length > 0) {
    await withMerchant(db, merchantId, async (tx) => {
      const { now } = await readMerchantNow(tx, services);
      const before = new Map(differing.map((one) => [one.paymentId, one]));
      for (const one of await selectKnown(tx, period.since, [...before.keys()])) {
        // What changed just now may have moved money after Stripe told its sums. It is compared the next night.
        const isSettled = isDeepStrictEqual(before.get(one.paymentId), one);
        if (isSettled && isDiffering(one)) await report(tx, one, thereOf(one), now);
      }
    });
  }
  return known.map(({ paymentId }) => paymentId);
}

/** True if the sides differ, and nothing moved lately. A payment from before the period is compared in part. */
function differs(
  { paid, returned, isDisputed, at }: KnownPayment,
  there: PaymentSums | undefined,
  { since, now }: Period,
): boolean {
  const settled = subHours(now, settlingHours);
  // A day at the beginning, because we take note of a payment a little later.
  const isWithin = at > subDays(since, -1) && at < settled;
  if (!there) return isWithin && paid > 0;
  if (there.lastAt > settled) return false;
  if (there.isDisputed && !isDisputed) return true;
  return there.paid > 0 ? there.paid !== paid || there.refunded !== returned : there.refunded > returned;
}

/** Selects payments of the period, and those that the service named. */
async function selectKnown({ merchantId, db }: Tx, since: Date, named: string[]): Promise<KnownPayment[]> {
  const [r, p, d] = [topUpRequests, billPayments, cardDisputes];
  const isOfTopUp = and(eq(d.merchantId, r.merchantId), eq(d.topUpRequestId, r.id));
  const isOfBill = and(eq(d.merchantId, p.merchantId), eq(d.billPaymentId, p.id));
  const exists = (isOf: ReturnType<typeof and>) =>
    sql<boolean>`exists (${db.select({ id: d.id }).from(d).where(isOf)})`;
  const topUps = (isWanted: ReturnType<typeof and>) =>
    db
      .select({
        paymentId: sql<string>`${r.paymentId}`,
        accountId: r.cardAccountId,
        id: r.id,
        // A payment of another amount than the offer's was never credited and went back as it came.
        paid: sql<number>`case when ${r.state} = 'refunded' and ${r.refusal} is not null then ${r.refundedAmount}
          when ${r.state} in ('credited', 'refunding', 'refunded') then ${r.principal} else 0 end`.mapWith(Number),
        returned: r.refundedAmount,
        isDisputed: exists(isOfTopUp),
        at: r.createdAt,
      })
      .from(r)
      .where(and(eq(r.merchantId, merchantId), isNotNull(r.paymentId), isWanted));
  const ofBills = (isWanted: ReturnType<typeof and>) =>
    db
      .select({
        paymentId: sql<string>`${p.paymentId}`,
        accountId: p.cardAccountId,
        id: p.billUid,
        paid: sql<number>`${p.amount} + ${p.tip}`.mapWith(Number),
        returned: p.returnedAmount,
        isDisputed: exists(isOfBill),
        at: sql<Date>`${p.takenAt}`.mapWith(p.takenAt),
      })
      .from(p)
      .where(and(eq(p.merchantId, merchantId), eq(p.state, 'taken').inlineParams(), isNotNull(p.paymentId), isWanted));
  const [recentTopUps, namedTopUps, recentBills, namedBills] = await Promise.all([
    topUps(gte(r.id, firstIdAt(since))),
    topUps(anyOf(r.paymentId, named)),
    ofBills(gte(p.takenAt, since)),
    ofBills(anyOf(p.paymentId, named)),
  ]);
  const all = [
    ...[...recentTopUps, ...namedTopUps].map(({ id, ...one }) => ({
      ...one,
      subject: { kind: 'topUpRequest' as const, id },
    })),
    ...[...recentBills, ...namedBills].map(({ id, ...one }) => ({ ...one, subject: { kind: 'bill' as const, id } })),
  ];
  return [...new Map(all.map((one) => [one.paymentId, one])).values()];
}

/** Writes a difference into the audit log, unless the same is there already. */
async function report(tx: Tx, one: KnownPayment, there: PaymentSums | undefined, now: Date): Promise<void> {
  const { subject, paid, returned } = one;
  const after = { paid, paidAtStripe: there?.paid ?? 0, returned, returnedAtStripe: there?.refunded ?? 0 };
  const [before] = await tx.db
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.merchantId, tx.merchantId),
        eq(auditLog.subjectKind, subject.kind),
        eq(auditLog.subjectId, subject.id),
        gte(auditLog.id, firstIdAt(subDays(now, comparedDays))),
        eq(auditLog.action, differenceAction),
        sql`${auditLog.after}::jsonb = ${JSON.stringify(after)}::text::jsonb`,
      ),
    )
    .limit(1);
  if (!before) await auditChange(tx, { kind: 'service', id: null }, differenceAction, subject, now, { after });
}
