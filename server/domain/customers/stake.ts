import type { Tx } from '@/db/driver';
import { loadSpendable, noValue } from '../ledger';

/** Returns what a customer can spend, which is at stake when somebody else gets hold of it. */
export async function stakeIn(tx: Tx, customerId: string, now: Date): Promise<{ value: number; points: number }> {
  const [{ principal, bonus, points } = noValue] = await loadSpendable(tx, [customerId], now);
  return { value: principal + bonus, points };
}
