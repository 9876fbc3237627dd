import { and, eq, sql } from 'drizzle-orm';
import type { Tx } from '@/db/driver';
import type { BalanceCause } from '@/db/kinds/lists';
import { anyOf, insertFrom, recordset } from '@/db/query/expressions';
import { type Given, prepare } from '@/db/query/queries';
import { events, lots, merchants } from '@/db/schema';
import type { Merchant } from '../kernel/context';
import { wantsEvent } from '../kernel/events';
import { newId } from '../kernel/ids';
import { isUsable, sumsOf } from './balance';

interface BalanceChange {
  customerIds: string[];
  cause: BalanceCause;
  now: Date;
}

/**
 * Sends an event with each customer's new balance. Call it after the change, while holding the locks of the balances.
 */
export function sendBalanceEvents(tx: Tx, merchant: Merchant, change: BalanceChange): void {
  tx.send(writeBalanceEvents(tx, [{ merchant, ...change }]));
}

/**
 * Returns the unsent statement that writes these events; null if no merchant wants them. No two changes may share a
 * customer. Send it after the changes, because it reads the balances itself.
 */
export function writeBalanceEvents({ merchantId, db }: Tx, changes: (BalanceChange & { merchant: Merchant })[]) {
  const changed = changes
    .filter(({ merchant }) => wantsEvent(merchant, 'balance.changed'))
    .flatMap(({ merchant: { currency, pointValue }, customerIds, cause, now: occurredAt }) =>
      customerIds.map((customerId) => ({ customerId, id: newId(), currency, pointValue, cause, occurredAt })),
    );
  if (changed.length === 0) return null;
  return insert(db, { merchantId, changed, customerIds: changed.map(({ customerId }) => customerId) });
}

interface Changed {
  customerId: string;
  id: string;
  currency: string;
  pointValue: number;
  cause: BalanceCause;
  occurredAt: Date;
}

const insert = prepare((db, given: Given<{ merchantId: string; changed: Changed[]; customerIds: string[] }>) => {
  const { $rows, ...changed } = recordset(
    'changed',
    {
      customerId: lots.customerId,
      id: events.id,
      occurredAt: events.occurredAt,
      cause: sql<BalanceCause>`text`,
      currency: merchants.currency,
      pointValue: merchants.pointValue,
    },
    given.changed,
  );
  const { customerId, id, occurredAt, cause, currency, pointValue } = changed;
  const value = db
    .select(sumsOf(lots))
    .from(lots)
    .where(
      and(
        eq(lots.merchantId, given.merchantId),
        anyOf(lots.customerId, given.customerIds),
        eq(lots.customerId, customerId),
        isUsable(occurredAt),
      ),
    )
    .as('value');
  const { principal, bonus, points } = value;
  const data = sql<object>`jsonb_build_object(
    'customerId', ${customerId}, 'currency', ${currency}, 'cause', ${cause},
    'storedValue', jsonb_build_object('balance', ${principal} + ${bonus}, 'principal', ${principal}, 'bonus', ${bonus}),
    'points', jsonb_build_object('balance', ${points}, 'worth', ${points} * ${pointValue}))`;
  const row = { merchantId: given.merchantId, id, type: 'balance.changed' as const, occurredAt, data };
  return insertFrom(events, row, sql`${$rows} cross join lateral ${value} order by ${id}`);
});
