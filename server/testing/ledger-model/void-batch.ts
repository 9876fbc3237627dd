/** Voids in batches and, at the end, everything that is left. */
import { expect } from 'vitest';
import type { VoidOutput } from '@/server/domain/transactions/schemas';
import { voidTransactions } from '@/server/domain/transactions/void';
import { randomFrom } from '../random';
import { tick } from './common';
import { isMove } from './merges';
import type { LedgerModel } from './model';
import { attemptCall, countCase, type Session } from './session';

interface Blocked {
  transactionId: string;
  code: string;
  spentBy: { transactionId: string | null }[];
}

/** Voids ids in one batch and compares. Returns false if spent value blocked it. */
export async function voidThem(model: LedgerModel, session: Session, transactionIds: string[]): Promise<boolean> {
  const { outcome } = await attemptCall(session, (ctx) => voidTransactions(ctx, { transactionIds }));
  const blocking = model.blocking(transactionIds);
  if (blocking.length > 0) {
    const expected = blocking.map(({ spentBy, ...one }) => ({
      ...one,
      spentBy: spentBy.map((id) => (isMove(id) ? null : id)).sort(),
    }));
    expect(outcome).toMatchObject({ status: 'failed', code: 'void_refused' });
    const found = (outcome as unknown as { details: { blocking: Blocked[] } }).details.blocking;
    const told = found.map((one) => ({
      ...one,
      spentBy: one.spentBy.map(({ transactionId }) => transactionId).sort(),
    }));
    const byId = (a: { transactionId: string }, b: typeof a) => (a.transactionId < b.transactionId ? -1 : 1);
    expect(told.toSorted(byId)).toEqual(expected.toSorted(byId));
    for (const { code } of blocking) countCase(session, code);
    return false;
  }
  const spent = new Map(transactionIds.map((id) => [id, model.spentBy(id)]));
  const { results, restoredExpired, met } = model.void(transactionIds);
  const { answer } = outcome as unknown as { answer: VoidOutput };
  expect({ ...outcome, answer: { results: answer.results.map(({ effect: _, ...result }) => result) } }).toEqual({
    status: 'completed',
    answer: { results },
  });
  for (const { transactionId, customerId, type, status, effect } of answer.results) {
    if (status !== 'voided' || !effect || !customerId) continue;
    const what = type === 'redeemStoredValue' || type === 'cashOut' ? 'stored value' : type;
    if (model.holders.has(customerId)) countCase(session, `void of a merged customer's ${what}`);
    const { storedValue, points } = model.balanceOf(customerId);
    expect([effect.storedValue, effect.points?.balance]).toEqual([storedValue, points]);
    const { returned, expired } = effect;
    const back = (['principal', 'bonus', 'points'] as const).map((part) => [part, returned[part] + expired[part]]);
    // A refunded sale gives back what its refund took of other sales, once its own points are there again.
    const told = Object.fromEntries(back);
    if (type === 'sale') expect(told).toMatchObject({ principal: 0, bonus: 0 });
    else expect(told).toEqual(spent.get(transactionId));
    if (expired.bonus + expired.points > 0) countCase(session, 'told what expired');
  }
  for (const { type, status } of results) countCase(session, `${status} ${type}`);
  for (const what of met) countCase(session, what);
  const { remaining, debts } = await session.behindTheScenes(restoredExpired);
  expect(debts).toEqual(Object.fromEntries([...model.debts].map(([id, { points }]) => [id, points])));
  if (restoredExpired.length > 0) {
    expect(new Set(remaining)).toEqual(new Set([0]));
    countCase(session, 'restored past its time');
  }
  return true;
}

/**
 * Voids everything still completed in random batches, and retries refused ones. Where value of a top-up was moved by a merge,
 * some stays.
 */
export async function voidEverything(model: LedgerModel, session: Session, seed: number): Promise<void> {
  const random = randomFrom(seed);
  for (let round = 1; ; round++) {
    const left = [...model.transactions].filter(([, { status }]) => status === 'completed').map(([id]) => id);
    if (left.length === 0) return;
    const ids = left.map((id) => ({ id, key: random() })).sort((a, b) => a.key - b.key);
    while (ids.length > 0) {
      // Two top-ups may block each other through redemptions for ever, so after a few rounds everything is voided
      // together. After a merge, a top-up that can't be voided would block all others.
      const rest = model.merges.length > 0 ? 1 : ids.length;
      const size = round <= 3 ? 1 + Math.floor(random() * 5) : rest;
      tick(model, session);
      await voidThem(
        model,
        session,
        ids.splice(0, size).map(({ id }) => id),
      );
    }
    if (round > 3 && model.merges.length > 0) return;
    if (round > 3) expect([...model.transactions.values()].some(({ status }) => status === 'completed')).toBe(false);
  }
}

/** After everything was voided, only expired value is left. It can't return, and is still owed. */
export async function expectNothingLeft(model: LedgerModel, session: Session): Promise<void> {
  for (const { debts, expiredPoints, ...rest } of await session.remains(model.now)) {
    expect(rest).toEqual({ principal: 0, bonus: 0, points: 0, usedVouchers: 0, completedTransactions: 0 });
    expect(debts).toBe(expiredPoints);
    countCase(session, debts > 0 ? 'in the end, expired points are owed' : 'in the end, nothing is left');
  }
}
