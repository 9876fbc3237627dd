/** Follows disputes of card payments, as the payment service tells of them. */
import { and, eq, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import type { DisputeStatus } from '@/db/kinds/lists';
import { only } from '@/db/query/queries';
import { cardDisputes } from '@/db/schema';
import { lockBillOf } from '../bills';
import { auditChange } from '../kernel/audit';
import type { Dispute, MerchantPurpose, Purpose } from '../kernel/card-payments';
import { announceChange } from '../kernel/changes';
import type { Merchant, Services } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { sendEvents, wantsEvent } from '../kernel/events';
import { newId } from '../kernel/ids';
import { say } from '../kernel/say';
import { findMerchantEvenClosed, readMerchantNow } from '../merchants';
import { blockTopUp, type DisputedTopUp, lockTopUp, unblockTopUp } from './block';
import { describeDispute, selectDisputes } from './rows';

const maxTries = 5;

/**
 * Fetches the disputes of a payment and acts on them: blocks what is left of a top-up, gives it back once a dispute is
 * won, and tells staff and merchants' systems. Repeating it does nothing. Errors: `service_unavailable`.
 */
export async function followDisputes(
  services: Services,
  { merchantId, purpose }: MerchantPurpose,
  { paymentId, accountId }: { paymentId: string; accountId: string | null },
): Promise<void> {
  const { db, cardPayments } = services;
  const merchant = await findMerchantEvenClosed(services, merchantId);
  if (!merchant || !cardPayments) return;
  for (let tries = 0; tries < maxTries; tries++) {
    const revision = await withMerchant(db, merchantId, (tx) => readRevision(tx, purpose));
    const told = await cardPayments.on(accountId).listDisputes(paymentId);
    if (await withMerchant(db, merchantId, (tx) => follow(tx, services, purpose, { told, revision }))) return;
  }
  throw new DomainError('service_unavailable', say('inAMoment'));
}

const isAbout = ({ kind, id }: Purpose) =>
  eq(kind === 'topUp' ? cardDisputes.topUpRequestId : cardDisputes.billPaymentId, id);

/** Counts the changes of a payment's disputes. */
async function readRevision({ merchantId, db }: Tx, purpose: Purpose): Promise<number> {
  const revision = sql<number>`coalesce(sum(${cardDisputes.revision}), 0)::int`;
  const where = and(eq(cardDisputes.merchantId, merchantId), isAbout(purpose));
  return only(await db.select({ revision }).from(cardDisputes).where(where)).revision;
}

type Subject = DisputedTopUp | { kind: 'billPayment'; id: string; storeId: string };

/**
 * Acts on what the service told, under the locks of the payment. Returns false if the disputes have changed since the
 * service was asked: its answer may be from before that.
 */
async function follow(
  tx: Tx,
  services: Services,
  purpose: Purpose,
  { told, revision }: { told: Dispute[]; revision: number },
): Promise<boolean> {
  const { merchant, now } = await readMerchantNow(tx, services);
  const subject = await lockSubject(tx, purpose);
  if (!subject) return true;
  const { merchantId, db } = tx;
  const known = await db
    .select()
    .from(cardDisputes)
    .where(and(eq(cardDisputes.merchantId, merchantId), isAbout(purpose)));
  if (known.reduce((sum, one) => sum + one.revision, 0) !== revision) return false;
  for (const dispute of told) {
    const before = known.find(({ serviceId }) => serviceId === dispute.serviceId) ?? null;
    if (before && isSame(before, dispute)) continue;
    await record(tx, merchant, { subject, before, dispute, now });
  }
  return true;
}

async function lockSubject(tx: Tx, { kind, id }: Purpose): Promise<Subject | null> {
  if (kind === 'topUp') return lockTopUp(tx, id);
  const bill = await lockBillOf(tx, id);
  return bill && { kind, id, storeId: bill.storeId };
}

type Row = typeof cardDisputes.$inferSelect;

const isSame = (row: Row, { amount, reason, status, respondBy }: Dispute): boolean =>
  row.amount === amount &&
  row.reason === reason &&
  row.status === status &&
  row.respondBy?.getTime() === respondBy?.getTime();

const isOver = (status: DisputeStatus): boolean => status === 'won' || status === 'lost';

interface Change {
  subject: Subject;
  before: Row | null;
  dispute: Dispute;
  now: Date;
}

/** Records one dispute's state, moves value accordingly, and tells of it. */
async function record(tx: Tx, merchant: Merchant, { subject, before, dispute, now }: Change): Promise<void> {
  const { merchantId, db } = tx;
  const { amount, reason, status, respondBy } = dispute;
  const wasBlocked = before !== null && before.status !== 'won';
  let blockUid = before?.blockUid ?? null;
  if (subject.kind === 'topUp') {
    if (status !== 'won' && !wasBlocked) blockUid = await blockTopUp(tx, merchant, subject, { amount, now });
    if (status === 'won' && wasBlocked && blockUid !== null) {
      await unblockTopUp(tx, merchant, { blockUid, holderId: subject.holderId, now });
    }
  }
  const id = before?.id ?? newId(now.getTime());
  const closedAt = isOver(status) ? (before?.closedAt ?? now) : null;
  const state = { amount, reason, status, respondBy, closedAt, blockUid };
  if (before) {
    await db
      .update(cardDisputes)
      .set({ ...state, revision: before.revision + 1 })
      .where(and(eq(cardDisputes.merchantId, merchantId), eq(cardDisputes.id, id)));
  } else {
    const { serviceId, openedAt } = dispute;
    const about =
      subject.kind === 'topUp'
        ? { topUpRequestId: subject.id }
        : { billPaymentId: subject.id, storeId: subject.storeId };
    await db.insert(cardDisputes).values({ merchantId, id, ...about, ...state, serviceId, openedAt, createdAt: now });
  }
  await tell(tx, merchant, { id, before, status, subject, now });
}

interface Told extends Pick<Change, 'subject' | 'before' | 'now'> {
  id: string;
  status: DisputeStatus;
}

/** Audits a change, refreshes screens, and sends an event if the dispute was opened or closed. */
async function tell(tx: Tx, merchant: Merchant, { id, before, status, subject, now }: Told): Promise<void> {
  const wasOpen = before !== null && !isOver(before.status);
  const isClosed = isOver(status) && before?.status !== status;
  const type = isClosed ? ('dispute.closed' as const) : ('dispute.opened' as const);
  const [view] = await selectDisputes(tx, eq(cardDisputes.id, id));
  if (!view) return;
  const { amount, reason, blocked, spent } = view;
  await Promise.all([
    auditChange(tx, { kind: 'service', id: null }, `dispute.${status}`, { kind: 'dispute', id }, now, {
      after: { amount, reason, blocked, spent },
    }),
    announceChange(tx, subject.kind === 'topUp' ? 'transactions' : 'bills'),
  ]);
  if ((!isClosed && wasOpen) || !wantsEvent(merchant, type)) return;
  const storeId = subject.kind === 'topUp' ? null : subject.storeId;
  sendEvents(tx, [{ type, storeId, occurredAt: now, data: describeDispute(view, merchant) }]);
}
