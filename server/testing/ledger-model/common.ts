/** Shared parts of the operations under test. */
import type { CustomerRef } from '@/server/domain/identity/schemas';
import type { LedgerModel } from './model';
import type { Session } from './session';

export function setTime(model: LedgerModel, session: Session, now: Date): void {
  model.now = now;
  session.setTime(now);
}

/** Gives every event its own moment. */
export function tick(model: LedgerModel, session: Session): void {
  setTime(model, session, new Date(model.now.getTime() + 1));
}

const dayMs = 24 * 60 * 60_000;
/** Singapore is always eight hours ahead. */
const offsetMs = 8 * 60 * 60_000;

/** Returns the last millisecond of the day `days` later. */
export function endOfDayInSingapore(from: Date, days: number): Date {
  const day = Math.floor((from.getTime() + offsetMs) / dayMs);
  return new Date((day + days + 1) * dayMs - offsetMs - 1);
}

/** Returns the last millisecond of the month `months` later. */
export function endOfMonthInSingapore(from: Date, months: number): Date {
  const there = new Date(from.getTime() + offsetMs);
  return new Date(Date.UTC(there.getUTCFullYear(), there.getUTCMonth() + months + 1) - offsetMs - 1);
}

/** Returns whom a request names, or who was kept in a merge; null if it names no customer. */
export function findCustomer(model: LedgerModel, session: Session, named: CustomerRef | undefined): string | null {
  if (named === undefined) return null;
  const { customerId, phone, email } = named;
  const found = session.customers.find((one) => one.id === customerId || one.phone === phone || one.email === email);
  if (!found) throw new Error('the model knows no such customer');
  return model.holderOf(found.id);
}

export function customerIdOf(model: LedgerModel, session: Session, input: { customer: CustomerRef }): string {
  return findCustomer(model, session, input.customer) as string;
}

/** Names a customer in one of three ways. */
export function nameCustomer(session: Session, which: number): CustomerRef {
  const { id, phone, email } = session.customers[which % session.customers.length] as Session['customers'][number];
  return [{ customerId: id }, { phone }, { email }][which % 3] as CustomerRef;
}

export function occurredAt(model: LedgerModel, daysAgo: number): string | undefined {
  return daysAgo === 0 ? undefined : new Date(model.now.getTime() - daysAgo * dayMs).toISOString();
}

/** The common part of every completed transaction's response. */
export const common = (
  model: LedgerModel,
  input: { transactionId: string; occurredAt?: string | undefined },
  customerId: string | null,
) => ({
  transactionId: input.transactionId,
  status: 'completed',
  customerId,
  currency: 'SGD',
  occurredAt: input.occurredAt ?? model.now.toISOString(),
  createdAt: model.now.toISOString(),
});
