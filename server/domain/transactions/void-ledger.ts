import { and, eq, gt, isNull, lt, ne, not, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Tx } from '@/db/driver';
import { anyOf, insertRows } from '@/db/query/expressions';
import { reviveLots } from '@/db/query/functions';
import { type Given, prepare, type Queries } from '@/db/query/queries';
import { cardDisputes, customers, ledgerEntries, lots, topUpRequests, transactions, vouchers } from '@/db/schema';
import type { RecordedType } from '../engine';
import { newId } from '../kernel/ids';
import { postEntries } from '../ledger';
import type { Ledger, VoidPlan } from './void-plan';
import { holdersOf, type VoidRow } from './void-rows';

export type LoadedLedger = Omit<Ledger, 'now' | 'again' | 'returnedUntil'>;

interface Loading {
  merchantId: string;
  uids: string[];
  customerIds: string[];
}

/**
 * Selects the points lots that were spent, and the lots that made up for them, if the transactions that had granted
 * these were voided before.
 */
function madeUpOf({ merchantId, uids }: Given<Loading>) {
  const spent = ledgerEntries;
  const own = and(
    eq(spent.merchantId, merchantId),
    anyOf(spent.transactionUid, uids),
    eq(spent.part, 'points').inlineParams(),
    lt(spent.amount, 0).inlineParams(),
  );
  const lot = and(eq(lots.merchantId, ledgerEntries.merchantId), eq(lots.id, ledgerEntries.lotId));
  const voided = and(
    eq(ledgerEntries.merchantId, merchantId),
    eq(ledgerEntries.transactionUid, sql`made_up.granted_by`),
    eq(ledgerEntries.kind, 'void').inlineParams(),
  );
  return {
    $rows: sql`(
      with recursive made_up (lot_id, granted_by) as (
        select ${lots.id}, ${lots.transactionUid} from ${ledgerEntries} join ${lots} on ${lot} where ${own}
        union
        select other.* from made_up cross join lateral (
          select ${lots.id}, ${lots.transactionUid} from ${ledgerEntries} join ${lots} on ${lot} where ${voided} offset 0
        ) other
      ) select * from made_up
    ) made_up`,
    lotId: sql<string>`made_up.lot_id`,
    grantedBy: sql<string>`made_up.granted_by`,
  };
}

const { id, transactionUid, customerId, lotId, part, kind, amount } = ledgerEntries;
const entryColumns = { id, transactionUid, customerId, lotId, part, kind, amount };

const loadEntries = prepare((db, given: Given<Loading>) => {
  const isOwn = anyOf(transactionUid, given.uids);
  const isMerchants = eq(ledgerEntries.merchantId, given.merchantId);
  const expired = db
    .select(entryColumns)
    .from(lots)
    .innerJoin(ledgerEntries, and(eq(ledgerEntries.merchantId, lots.merchantId), eq(lotId, lots.id)))
    .where(
      and(
        eq(lots.merchantId, given.merchantId),
        anyOf(lots.transactionUid, given.uids),
        eq(kind, 'expiry').inlineParams(),
        not(isOwn),
      ),
    );
  const { $rows, grantedBy } = madeUpOf(given);
  const granter = db
    .selectDistinct({ uid: grantedBy.as('granter') })
    .from($rows)
    .as('granters');
  const voided = db
    .select(entryColumns)
    .from(ledgerEntries)
    .where(and(isMerchants, eq(transactionUid, granter.uid), eq(kind, 'void').inlineParams()))
    .offset(0)
    .as('voided');
  const taken = db
    .select(voided._.selectedFields)
    .from(granter)
    .crossJoinLateral(voided)
    .where(sql`not ${granter.uid} = any(${given.uids}::uuid[])`);
  return db.select(entryColumns).from(ledgerEntries).where(and(isMerchants, isOwn)).unionAll(expired).unionAll(taken);
});

const loadLots = prepare((db, given: Given<Loading>) => {
  const { $rows, lotId: madeUp } = madeUpOf(given);
  const isOpen = and(
    eq(lots.merchantId, given.merchantId),
    anyOf(lots.customerId, given.customerIds),
    lots.open,
    eq(lots.part, 'points').inlineParams(),
  );
  const ids = db
    .select({ id: sql<string>`${lotId}`.as('lot_id') })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.merchantId, given.merchantId), anyOf(transactionUid, given.uids)))
    .union(db.select({ id: madeUp.as('lot_id') }).from($rows))
    .union(
      db
        .select({ id: sql<string>`${lots.id}`.as('lot_id') })
        .from(lots)
        .where(isOpen),
    );
  return db
    .select({
      id: lots.id,
      customerId: lots.customerId,
      transactionUid: lots.transactionUid,
      part: lots.part,
      granted: lots.granted,
      remaining: lots.remaining,
      expiresAt: lots.expiresAt,
    })
    .from(lots)
    .where(and(eq(lots.merchantId, given.merchantId), sql`${lots.id} = any(array(${ids}))`));
});

/** Selects the lots that the transactions spent, as far as they are of disputed top-ups, and what is disputed of them. */
const loadDisputed = prepare((db, given: Given<Loading>) => {
  const { blockUid, amount: disputed, status } = cardDisputes;
  const taken = alias(ledgerEntries, 'taken');
  const blocked = db
    .select({ principal: sql`coalesce(sum(${taken.amount}), 0)`.as('blocked_principal') })
    .from(taken)
    .where(
      and(
        eq(taken.merchantId, cardDisputes.merchantId),
        eq(taken.transactionUid, blockUid),
        eq(taken.part, 'principal').inlineParams(),
      ),
    )
    .as('blocked');
  return db
    .selectDistinct({
      customerId: lots.customerId,
      lotId: lots.id,
      blockUid: sql<string>`${blockUid}`,
      claim: sql<number>`(${disputed} + ${blocked.principal})::bigint`,
    })
    .from(ledgerEntries)
    .innerJoin(lots, and(eq(lots.merchantId, ledgerEntries.merchantId), eq(lots.id, lotId)))
    .innerJoin(
      topUpRequests,
      and(eq(topUpRequests.merchantId, lots.merchantId), eq(topUpRequests.transactionUid, lots.transactionUid)),
    )
    .innerJoin(
      cardDisputes,
      and(eq(cardDisputes.merchantId, lots.merchantId), eq(cardDisputes.topUpRequestId, topUpRequests.id)),
    )
    .crossJoinLateral(blocked)
    .where(
      and(
        eq(ledgerEntries.merchantId, given.merchantId),
        anyOf(transactionUid, given.uids),
        ne(transactionUid, blockUid),
        ne(status, 'won').inlineParams(),
      ),
    );
});

const duplicatesOf = (db: Queries, given: Given<{ merchantId: string; customerIds: string[] }>) =>
  db
    .select({ id: customers.id, mergedInto: customers.mergedInto })
    .from(customers)
    .where(and(eq(customers.merchantId, given.merchantId), anyOf(customers.mergedInto, given.customerIds)));

/** Also what duplicates owe that were merged into the customers. */
const loadDebts = prepare((db, given: Given<Loading>) => {
  const duplicates = duplicatesOf(db, given).as('duplicates');
  const all = sql`array(select ${duplicates.id} from ${duplicates} union all select unnest(${given.customerIds}::uuid[]))`;
  return db
    .select({
      transactionUid: transactions.uid,
      customerId: transactions.customerId,
      points: transactions.pointsShortfall,
      isOfVoid: sql<boolean>`${transactions.voidedAt} is not null`,
    })
    .from(transactions)
    .where(
      and(
        eq(transactions.merchantId, given.merchantId),
        sql`${transactions.customerId} = any(${all})`,
        gt(transactions.pointsShortfall, 0).inlineParams(),
      ),
    )
    .orderBy(transactions.voidedAt, transactions.uid);
});

const loadDuplicates = prepare((db, given: Given<{ merchantId: string; customerIds: string[] }>) =>
  duplicatesOf(db, given),
);

/** Loads what `planVoid` needs of the ledger, for each batch. No two batches may share a customer. */
export async function loadLedgers({ merchantId, db }: Tx, batches: VoidRow[][]): Promise<LoadedLedger[]> {
  const voidable = batches.flat();
  if (voidable.length === 0) return batches.map(() => ({ transactions: [], entries: [], lots: [], debts: [] }));
  const given = { merchantId, uids: voidable.map(({ uid }) => uid), customerIds: holdersOf(voidable) };
  const [entries, loaded, debts, disputed, duplicates] = await Promise.all([
    loadEntries(db, given),
    loadLots(db, given),
    loadDebts(db, given),
    loadDisputed(db, given),
    loadDuplicates(db, given),
  ]);
  const keptIds = new Map(duplicates.map(({ id: duplicate, mergedInto }) => [duplicate, mergedInto as string]));
  const byHolder = <T extends { customerId: string | null }>(rows: T[]) => groupByHolder(rows, keptIds);
  const [ofEntries, ofLots, ofDebts] = [byHolder(entries), byHolder(loaded), byHolder(debts)];
  const ofDisputed = byHolder(disputed);
  return batches.map((batch) => {
    const own = <T>(all: Map<string, T[]>) => holdersOf(batch).flatMap((one) => all.get(one) ?? []);
    const owed = own(ofDebts).map((debt) => ({ ...debt, customerId: keptIds.get(debt.customerId) ?? debt.customerId }));
    return {
      transactions: batch,
      entries: own(ofEntries),
      lots: own(ofLots),
      debts: owed,
      disputed: own(ofDisputed),
      keptIds,
    };
  });
}

/** Groups rows by the customer who holds now what was theirs. */
function groupByHolder<T extends { customerId: string | null }>(
  rows: T[],
  keptIds: Map<string, string>,
): Map<string, (T & { customerId: string })[]> {
  const all = new Map<string, (T & { customerId: string })[]>();
  for (const row of rows) {
    const { customerId: owner } = row;
    if (owner === null) continue;
    const holder = keptIds.get(owner) ?? owner;
    const own = all.get(holder) ?? [];
    own.push({ ...row, customerId: owner });
    all.set(holder, own);
  }
  return all;
}

type Voided = Given<{ merchantId: string; uids: string[] }>;

/** If the issue of a voucher is voided together with its redemption, the voucher is cancelled as well. */
const returnRedeemed = prepare((db, given: Voided) => {
  const issuer = alias(transactions, 'issuer');
  const redeemer = alias(transactions, 'redeemer');
  const voidedAt = db
    .select({ voidedAt: redeemer.voidedAt })
    .from(issuer)
    .innerJoin(redeemer, and(eq(redeemer.merchantId, vouchers.merchantId), eq(redeemer.uid, vouchers.redeemedBy)))
    .where(
      and(
        eq(issuer.merchantId, vouchers.merchantId),
        eq(issuer.uid, vouchers.issuedBy),
        eq(issuer.status, 'voided').inlineParams(),
      ),
    );
  return db
    .update(vouchers)
    .set({ redeemedBy: null, redeemedAt: null, cancelledAt: sql`${voidedAt}` })
    .where(and(eq(vouchers.merchantId, given.merchantId), anyOf(vouchers.redeemedBy, given.uids)));
});

const cancelIssued = prepare((db, given: Voided) =>
  db
    .update(vouchers)
    .set({ cancelledAt: sql`${transactions.voidedAt}` })
    .from(transactions)
    .where(
      and(
        eq(vouchers.merchantId, given.merchantId),
        anyOf(vouchers.issuedBy, given.uids),
        isNull(vouchers.redeemedAt),
        isNull(vouchers.cancelledAt),
        eq(transactions.merchantId, given.merchantId),
        anyOf(transactions.uid, given.uids),
        eq(transactions.uid, vouchers.issuedBy),
      ),
    ),
);

/**
 * Makes vouchers usable again whose redemption is voided, and cancels unused vouchers of a voided sale, even expired
 * ones, because the sale never counted.
 */
export function writeVouchers({ merchantId, db }: Tx, voided: { uid: string; type: RecordedType | null }[]) {
  const uidsOf = (type: RecordedType) => voided.filter((row) => row.type === type).map(({ uid }) => uid);
  const [redeemed, issued] = [uidsOf('redeemVoucher'), uidsOf('sale')];
  return [
    redeemed.length === 0 ? null : returnRedeemed(db, { merchantId, uids: redeemed }),
    issued.length === 0 ? null : cancelIssued(db, { merchantId, uids: issued }),
  ];
}

const revive = prepare((_, { lotIds, until, at }: Given<{ lotIds: string[]; until: Date; at: Date }>) => {
  const { $rows } = reviveLots({ lotIds: sql`${lotIds}::uuid[]`, until, at });
  return sql`select from ${$rows}`;
});

const insertExpiries = insertRows(transactions, ['uid', 'type', 'status', 'customerId', 'occurredAt', 'createdAt']);

/**
 * Returns the unsent statements that carry plans out; null where there is nothing to do. Send them together, in this
 * order.
 */
export function writePlans(tx: Tx, plans: { plan: VoidPlan; now: Date }[]) {
  const expiries = new Map<string, { uid: string; customerId: string; now: Date }>();
  const entries = plans.flatMap(({ plan, now }) =>
    plan.entries.map((entry) => {
      if (entry.transactionUid !== null) return { ...entry, transactionUid: entry.transactionUid, createdAt: now };
      const { customerId: owner } = entry;
      const { uid } = expiries.get(owner) ?? { uid: newId(now.getTime()) };
      expiries.set(owner, { uid, customerId: owner, now });
      return { ...entry, transactionUid: uid, createdAt: now };
    }),
  );
  const rows = Array.from(expiries.values(), ({ now, ...expiry }) => ({
    ...expiry,
    type: 'expiry' as const,
    status: 'completed' as const,
    occurredAt: now,
    createdAt: now,
  }));
  const newLots = plans.flatMap(({ plan, now }) => plan.newLots.map((lot) => ({ ...lot, createdAt: now })));
  return [
    rows.length === 0 ? null : insertExpiries(tx, rows),
    ...plans.map(({ plan: { revived }, now: at }) => {
      const until = revived[0]?.expiresAt;
      return until ? revive(tx.db, { lotIds: revived.map(({ id: lot }) => lot), until, at }) : null;
    }),
    postEntries(tx, entries, newLots),
  ];
}
