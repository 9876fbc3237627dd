/** Opens a bill's code for a POS or staff. */

import { and, desc, eq, isNull, lt, lte, or, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import { anyOf, nameOf } from '@/db/query/expressions';
import { type Given, ofEach, prepare } from '@/db/query/queries';
import { qrCodes, stores } from '@/db/schema';
import { hasEndedBill } from '../bills';
import { announceChange } from '../kernel/changes';
import type { Clock } from '../kernel/clock';
import type { Services } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { type EventSettings, sendEvents, wantsEvent } from '../kernel/events';
import { newId } from '../kernel/ids';
import { say } from '../kernel/say';
import { hashToken } from '../kernel/secrets';
import { endCallsOf } from './table-calls';
import { newTokenOf, tokenOf } from './token';

export const defaultMinutes = 240;

interface CodeRequest {
  billId: string;
  table?: string | undefined;
  guests?: number | null | undefined;
  expiresInMinutes?: number | undefined;
  /** Who opens it. For a diner, tills are told only once staff have accepted the first order. */
  openedBy?: 'till' | 'diner';
}

type Code = typeof qrCodes.$inferSelect;

export interface OpenCode extends Pick<Code, 'id' | 'tokenHash' | 'table' | 'guests' | 'expiresAt' | 'createdAt'> {
  /** True if it was created by this call. */
  isNew: boolean;
  /** The previous expiry if this call extended it, else null. */
  prolongedFrom: Date | null;
}

const lockStore = prepare((db, given: Given<{ merchantId: string; storeId: string }>) =>
  db
    .select({ id: stores.id })
    .from(stores)
    .where(and(eq(stores.merchantId, given.merchantId), eq(stores.id, given.storeId), isNull(stores.closedAt)))
    .for('key share'),
);

/**
 * Returns the bill's active code, or creates one. An expired code is replaced, and one whose bill has ended. An open code is extended if
 * `expiresInMinutes` requires it, and never shortened. Keeps the store from closing until the commit. Errors:
 * `store_not_found` (also for a closed store), `service_unavailable` if the code is closed repeatedly at the same
 * moment.
 */
export async function openCode(
  tx: Tx,
  ctx: Services & { merchant: EventSettings },
  storeId: string,
  request: CodeRequest,
): Promise<OpenCode> {
  const [store] = await lockStore(tx.db, { merchantId: tx.merchantId, storeId });
  if (!store) throw new DomainError('store_not_found', say('storeNotOpen'));
  for (let tries = 0; tries < 3; tries++) {
    const code = await tryToOpen(tx, ctx, storeId, request);
    // Otherwise the code was closed at this moment: try again.
    if (!code) continue;
    const now = ctx.clock.now();
    if (code.isNew && request.openedBy !== 'diner')
      await sendCodeEvents(tx, ctx.merchant, { type: 'qr_code.opened', ids: [code.id], now });
    return code;
  }
  throw new DomainError('service_unavailable', say('qrCodeClosing'));
}

async function tryToOpen(
  tx: Tx,
  { clock, tokenKey }: Services,
  storeId: string,
  { billId, table, guests, expiresInMinutes, openedBy = 'till' }: CodeRequest,
): Promise<OpenCode | null> {
  const { merchantId, db } = tx;
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + (expiresInMinutes ?? defaultMinutes) * 60_000);
  const id = newId();
  const tokenHash = hashToken(newTokenOf(tokenKey, id));
  const isExtensionRequested = expiresInMinutes !== undefined;
  // A repeated request should not extend the code by a few seconds.
  const extendBefore = new Date(expiresAt.getTime() - 60_000);
  const bill = { merchantId, storeId, billId };
  const code = { ...bill, id, table: table ?? null, guests: guests ?? null, tokenHash, expiresAt, openedBy, now };
  const [, inserted, [prolonged], [row]] = await Promise.all([
    expire(db, { ...bill, now }),
    insert(db, code),
    prolong(db, { ...bill, expiresAt, extendBefore, isExtensionRequested }),
    findActive(db, bill),
  ]);
  const isNew = inserted.length === 1;
  if (!row) return null;
  if (isNew || prolonged) await announceChange(tx, 'qrCodes', row.id);
  return { ...row, isNew, prolongedFrom: prolonged?.expiresAt ?? null };
}

interface Bill {
  merchantId: string;
  storeId: string;
  billId: string;
}

const isActive = eq(qrCodes.status, 'active').inlineParams();
const isActiveOf = ({ merchantId, storeId, billId }: Given<Bill>) =>
  and(eq(qrCodes.merchantId, merchantId), eq(qrCodes.storeId, storeId), eq(qrCodes.billId, billId), isActive);

const expire = prepare((db, given: Given<Bill & { now: Date }>) =>
  db
    .update(qrCodes)
    .set({ status: 'expired' })
    .where(and(isActiveOf(given), or(lte(qrCodes.expiresAt, given.now), hasEndedBill(db, qrCodes)))),
);

type NewCode = Bill & Pick<Code, 'id' | 'table' | 'guests' | 'tokenHash' | 'expiresAt' | 'openedBy'> & { now: Date };

const insert = prepare((db, given: Given<NewCode>) => {
  const { merchantId, storeId, billId, id, table, guests, tokenHash, expiresAt, openedBy, now: createdAt } = given;
  return db
    .insert(qrCodes)
    .values({ merchantId, storeId, billId, id, table, guests, tokenHash, expiresAt, openedBy, createdAt })
    .onConflictDoNothing({
      target: [qrCodes.merchantId, qrCodes.storeId, qrCodes.billId],
      where: sql`${nameOf(qrCodes.status)} = 'active'`,
    })
    .returning({ id: qrCodes.id });
});

interface Prolonging extends Bill {
  expiresAt: Date;
  extendBefore: Date;
  isExtensionRequested: boolean;
}

/** Extends a code, and returns its previous expiry. */
const prolong = prepare((db, given: Given<Prolonging>) => {
  const before = db
    .select({ id: qrCodes.id, expiresAt: qrCodes.expiresAt })
    .from(qrCodes)
    .where(
      and(isActiveOf(given), lt(qrCodes.expiresAt, given.extendBefore), sql`${given.isExtensionRequested}::boolean`),
    )
    .for('update')
    .as('before');
  return db
    .update(qrCodes)
    .set({ expiresAt: sql`${given.expiresAt}` })
    .from(before)
    .where(and(eq(qrCodes.merchantId, given.merchantId), eq(qrCodes.id, before.id)))
    .returning({ expiresAt: before.expiresAt });
});

const findActive = prepare((db, bill: Given<Bill>) => {
  const { id, tokenHash, table, guests, expiresAt, createdAt } = qrCodes;
  return db.select({ id, tokenHash, table, guests, expiresAt, createdAt }).from(qrCodes).where(isActiveOf(bill));
});

/** The audit details of an extended code. */
export const prolongedCode = ({ prolongedFrom, expiresAt }: OpenCode) => ({
  before: { expiresAt: prolongedFrom },
  after: { expiresAt },
});

/** A closed code; `wasOpen` if this call closed it. */
export interface ClosedCode extends Pick<Code, 'id' | 'billId'> {
  invalidatedAt: Date;
  wasOpen: boolean;
}

/** Identifies a store's code by its id, or by its bill, which may have had earlier codes. */
export interface NamedCode {
  storeId: string;
  by: 'id' | 'billId';
  key: string;
}

const lockNamed = ofEach(['id', 'billId'], (by: NamedCode['by']) =>
  prepare((db, given: Given<{ merchantId: string; storeId: string; key: string }>) => {
    const { merchantId, storeId, id, billId, status, invalidatedAt } = qrCodes;
    return db
      .select({ id, billId, status, invalidatedAt })
      .from(qrCodes)
      .where(and(eq(merchantId, given.merchantId), eq(storeId, given.storeId), eq(qrCodes[by], given.key)))
      .orderBy(desc(isActive), desc(id))
      .limit(1)
      .for('update');
  }),
);

const invalidate = prepare((db, given: Given<{ merchantId: string; id: string; now: Date }>) =>
  db
    .update(qrCodes)
    .set({ status: 'invalidated', invalidatedAt: sql`${given.now}`, invalidatedBy: 'apiKey' })
    .where(and(eq(qrCodes.merchantId, given.merchantId), eq(qrCodes.id, given.id))),
);

/**
 * Closes a code for a till, when its bill is settled. Closing it again returns the same result. The row's lock makes orders wait:
 * each is on the bill before, or refused. Errors: `qr_code_not_found`.
 */
export async function closeCode(
  tx: Tx,
  { by, ...named }: NamedCode,
  { clock, merchant }: { clock: Clock; merchant: EventSettings },
): Promise<ClosedCode> {
  const { merchantId, db } = tx;
  const [code] = await lockNamed[by](db, { merchantId, ...named });
  if (!code) throw qrCodeNotFound();
  // Read after the lock, so that it is later than every order on the bill.
  const now = clock.now();
  const { id, billId, status, invalidatedAt } = code;
  const wasOpen = status !== 'invalidated';
  if (wasOpen) {
    const calls = endCallsOf(tx, merchant, [id], now);
    await Promise.all([invalidate(db, { merchantId, id, now }), announceChange(tx, 'qrCodes', id), calls]);
    await sendCodeEvents(tx, merchant, { type: 'qr_code.settled', ids: [id], now });
  }
  return { id, billId, invalidatedAt: invalidatedAt ?? now, wasOpen };
}

/** The columns that `describeCode` needs. */
export const codeColumns = {
  id: qrCodes.id,
  billId: qrCodes.billId,
  table: qrCodes.table,
  guests: qrCodes.guests,
  status: qrCodes.status,
  expiresAt: qrCodes.expiresAt,
  createdAt: qrCodes.createdAt,
  invalidatedAt: qrCodes.invalidatedAt,
};

/** Describes a code's current state. It counts as expired once its time is over, whatever state is stored. */
export function describeCode(code: Pick<Code, keyof typeof codeColumns>, now: Date) {
  const { id: qrCodeId, billId, table, guests, status, expiresAt, createdAt, invalidatedAt } = code;
  const isOver = status === 'active' && expiresAt <= now;
  return {
    qrCodeId,
    billId,
    table,
    guests,
    status: isOver ? ('expired' as const) : status,
    expiresAt: expiresAt.toISOString(),
    createdAt: createdAt.toISOString(),
    invalidatedAt: invalidatedAt?.toISOString() ?? null,
  };
}

interface CodeChange {
  type: 'qr_code.opened' | 'qr_code.settled';
  ids: string[];
  now: Date;
}

/** Sends an event with each code's current state. Call it after the change. */
export async function sendCodeEvents(tx: Tx, settings: EventSettings, { type, ids, now }: CodeChange): Promise<void> {
  if (ids.length === 0 || !wantsEvent(settings, type)) return;
  const codes = await tx.db
    .select({ ...codeColumns, storeId: qrCodes.storeId })
    .from(qrCodes)
    .where(and(eq(qrCodes.merchantId, tx.merchantId), anyOf(qrCodes.id, ids)));
  sendEvents(
    tx,
    codes.map(({ storeId, ...code }) => ({ type, storeId, occurredAt: now, data: describeCode(code, now) })),
  );
}

/** Returns the ordering page's URL. The token is derived each time, because it is not stored. */
export const codeUrl = ({ publicOrigin, tokenKey }: Services, code: Pick<Code, 'id' | 'tokenHash'>): string =>
  `${publicOrigin}/q/${tokenOf(tokenKey, code)}`;

export function qrCodeNotFound(): DomainError {
  return new DomainError('qr_code_not_found', say('qrCodeNotFound'));
}
