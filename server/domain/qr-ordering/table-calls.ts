/** Diners call staff to their table, or ask for the bill. */

import { and, eq, gt, isNull, lte, type SQL } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { type Given, prepare } from '@/db/query/queries';
import { diningTables, qrCodes, tableCalls } from '@/db/schema';
import { auditStaff } from '../kernel/audit';
import { announceChange } from '../kernel/changes';
import type { Services, StaffContext } from '../kernel/context';
import { DomainError } from '../kernel/errors';
import { type EventSettings, sendEvents, wantsEvent } from '../kernel/events';
import { newId } from '../kernel/ids';
import { networkOf } from '../kernel/networks';
import { say } from '../kernel/say';
import { countAgainst } from '../limits';
import { withMerchantClock } from '../merchants';
import { type CodeName, codeNotFound, requireCode, type Visit } from './find-code';
import { readOrderingSettings } from './ordering-settings';
import { ensureOpen, lockCode } from './place-order';
import { type AnswerCallInput, type TableCall, type TableCallInput, type TableCallKind, tableCall } from './schemas';

/** After this long, an unanswered call belongs to another day, like such an order. */
const forgottenAfterMs = 12 * 60 * 60_000;
const forgottenBefore = (now: Date) => new Date(now.getTime() - forgottenAfterMs);

/** Max calls on a board. */
const maxOnBoard = 100;

/** For one network at one table: enough for a party, too few to keep staff busy. */
export const callLimit = { attempts: 20, windowSeconds: 600 };

/** Who calls: the guests of an open bill, or of a table without one. */
export type Caller = { storeId: string } & (
  | { qrCodeId: string; tableId?: undefined }
  | { tableId: string; qrCodeId?: undefined }
);

/**
 * Calls staff to the table of an open bill. While a call of the kind waits, calling again changes nothing. Errors:
 * `qr_code_not_found`, `qr_code_closed`, `table_calls_off`, `too_many_attempts`.
 */
export async function callFromTable(services: Services, visit: Visit, { kind }: TableCallInput): Promise<void> {
  const code = await requireCode(services, visit);
  await countAgainst(services, { key: `calls of ${code.qrCodeId} from ${networkOf(visit.client)}`, ...callLimit });
  const { db, clock } = withMerchantClock(services, code);
  const { merchantId, qrCodeId } = code;
  await withMerchant(db, merchantId, async (tx) => {
    const [locked] = await lockCode(tx.db, { merchantId, qrCodeId });
    const now = clock.now();
    const { storeId, eventTypes } = ensureOpen(locked, now);
    await callStaff(tx, { eventTypes }, { storeId, qrCodeId }, kind, now);
  });
}

/** Calls staff, unless a call of the kind waits. Errors: `table_calls_off`. */
export async function callStaff(
  tx: Tx,
  settings: EventSettings,
  caller: Caller,
  kind: TableCallKind,
  now: Date,
): Promise<void> {
  const { callsStaff } = await readOrderingSettings(tx);
  if (!callsStaff) throw new DomainError('table_calls_off', say('tableCallsOff'));
  const { merchantId, db } = tx;
  await endCalls(tx, settings, and(isOf(caller), lte(tableCalls.createdAt, forgottenBefore(now))), { now });
  const [called] = await db
    .insert(tableCalls)
    .values({ merchantId, id: newId(), ...caller, kind, createdAt: now })
    .onConflictDoNothing()
    .returning({ id: tableCalls.id });
  if (!called) return;
  await announceChange(tx, 'orders', caller.qrCodeId);
  await sendCallEvents(tx, settings, 'table.called', [called.id], now);
}

const isOf = ({ qrCodeId, tableId }: Caller) =>
  tableId === undefined ? eq(tableCalls.qrCodeId, qrCodeId) : eq(tableCalls.tableId, tableId);

/**
 * Withdraws a call. Does nothing if none waits. Errors: `qr_code_not_found`, also for a phone that came by a card and
 * waits: the call may be that of the guests.
 */
export async function withdrawCall(services: Services, visit: Visit, { kind }: TableCallInput): Promise<void> {
  const code = await requireCode(services, visit);
  if (code.waits) throw codeNotFound();
  const { db, clock } = withMerchantClock(services, code);
  await withMerchant(db, code.merchantId, async (tx) => {
    const { merchantId, qrCodeId } = code;
    const [locked] = await lockCode(tx.db, { merchantId, qrCodeId });
    if (!locked) return;
    const isWithdrawn = and(eq(tableCalls.qrCodeId, qrCodeId), eq(tableCalls.kind, kind));
    await endCalls(tx, locked, isWithdrawn, { now: clock.now() });
  });
}

/** Ends the calls of closed codes. Call it while holding their locks. */
export const endCallsOf = (tx: Tx, settings: EventSettings, qrCodeIds: string[], now: Date) =>
  endCalls(tx, settings, anyOf(tableCalls.qrCodeId, qrCodeIds), { now });

/** Records that staff answer a call. Does nothing if the call has ended. Errors: `table_call_not_found`. */
export async function answerCall(ctx: StaffContext, { callId }: AnswerCallInput): Promise<void> {
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const end = { now: ctx.clock.now(), answeredBy: ctx.staff.userId };
    const [answered] = await endCalls(tx, ctx.merchant, eq(tableCalls.id, callId), end);
    if (answered) {
      const { qrCodeId, tableId, kind } = answered;
      const subject = qrCodeId === null ? { kind: 'diningTable', id: tableId ?? '' } : { kind: 'qrCode', id: qrCodeId };
      await auditStaff(tx, ctx, kind === 'bill' ? 'table.answerBillCall' : 'table.answerCall', subject);
    } else if ((await findCalls(tx, [callId])).length === 0) {
      throw new DomainError('table_call_not_found', say('tableCallNotFound'));
    }
  });
}

/** Ends the matching calls that wait. `answeredBy` is the member of staff who answers them. */
async function endCalls(
  tx: Tx,
  settings: EventSettings,
  where: SQL | undefined,
  { now, answeredBy }: { now: Date; answeredBy?: string },
) {
  const { merchantId, db } = tx;
  const { id, qrCodeId, tableId, kind } = tableCalls;
  const ended = await db
    .update(tableCalls)
    .set({ answeredAt: now, answeredBy })
    .where(and(eq(tableCalls.merchantId, merchantId), isNull(tableCalls.answeredAt), where))
    .returning({ id, qrCodeId, tableId, kind });
  await Promise.all(ended.map((call) => announceChange(tx, 'orders', call.qrCodeId ?? undefined)));
  const ids = ended.map((call) => call.id);
  await sendCallEvents(tx, settings, 'table.call_answered', ids, now);
  return ended;
}

/** A call on the board of its store. */
export type WaitingCall = TableCall & { storeId: string };

/** Returns the calls that wait at one store, or at all, oldest first. */
export async function readWaitingCalls(tx: Tx, storeId: string | undefined, now: Date): Promise<WaitingCall[]> {
  const isOfStore = storeId === undefined ? undefined : eq(tableCalls.storeId, storeId);
  const rows = await selectCalls(
    tx,
    and(isOfStore, isNull(tableCalls.answeredAt), gt(tableCalls.createdAt, forgottenBefore(now))),
  )
    // In the order of the index of waiting calls.
    .orderBy(tableCalls.storeId, tableCalls.id)
    .limit(maxOnBoard);
  const oldestFirst = rows.toSorted((one, other) => one.calledAt.getTime() - other.calledAt.getTime());
  return oldestFirst.map((row) => ({ ...describeCall(row), storeId: row.storeId }));
}

/** Returns which kinds of calls wait at a code. */
export const waitingKindsOf = prepare((db, given: Given<CodeName>) =>
  db
    .select({ kind: tableCalls.kind })
    .from(tableCalls)
    .where(
      and(
        eq(tableCalls.merchantId, given.merchantId),
        eq(tableCalls.qrCodeId, given.qrCodeId),
        isNull(tableCalls.answeredAt),
      ),
    )
    .orderBy(tableCalls.id),
);

const callColumns = {
  callId: tableCalls.id,
  storeId: tableCalls.storeId,
  kind: tableCalls.kind,
  qrCodeId: tableCalls.qrCodeId,
  billId: qrCodes.billId,
  tableOfCode: qrCodes.table,
  tableOfCard: diningTables.name,
  calledAt: tableCalls.createdAt,
  endedAt: tableCalls.answeredAt,
  answeredBy: tableCalls.answeredBy,
};

const selectCalls = ({ merchantId, db }: Tx, where: SQL | undefined) =>
  db
    .select(callColumns)
    .from(tableCalls)
    .leftJoin(qrCodes, and(eq(qrCodes.merchantId, tableCalls.merchantId), eq(qrCodes.id, tableCalls.qrCodeId)))
    .leftJoin(
      diningTables,
      and(eq(diningTables.merchantId, tableCalls.merchantId), eq(diningTables.id, tableCalls.tableId)),
    )
    .where(and(eq(tableCalls.merchantId, merchantId), where));

type CallRow = Awaited<ReturnType<typeof selectCalls>>[number];

const findCalls = (tx: Tx, ids: string[]) => selectCalls(tx, anyOf(tableCalls.id, ids)).orderBy(tableCalls.id);

const describeCall = ({ storeId, tableOfCode, tableOfCard, answeredBy, calledAt, endedAt, ...call }: CallRow) => ({
  ...call,
  table: tableOfCode ?? tableOfCard,
  status:
    endedAt === null ? ('waiting' as const) : answeredBy === null ? ('withdrawn' as const) : ('answered' as const),
  calledAt: calledAt.toISOString(),
  endedAt: endedAt?.toISOString() ?? null,
});

/** Sends an event with each call's current state. */
async function sendCallEvents(
  tx: Tx,
  settings: EventSettings,
  type: 'table.called' | 'table.call_answered',
  ids: string[],
  now: Date,
): Promise<void> {
  if (ids.length === 0 || !wantsEvent(settings, type)) return;
  const calls = await findCalls(tx, ids);
  sendEvents(
    tx,
    calls.map((call) => ({ type, storeId: call.storeId, occurredAt: now, data: tableCall.parse(describeCall(call)) })),
  );
}
