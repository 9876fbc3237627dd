/** Reads balances continuously, over REST and in SQL: none may ever be wrong. */

import { setTimeout as wait } from 'node:timers/promises';
import type postgres from 'postgres';
import { isUnavailable } from '@/db/driver';
import { type Pos, sendRequest } from './clients';
import type { Complaint } from './complaints';

export interface Readers {
  /** The number of balances read. */
  reads: { rest: number; sql: number };
  /** Ends when `isDone` says so. */
  finished: Promise<unknown>;
}

interface ReaderOptions {
  pos: Pos;
  owner: postgres.Sql;
  phones: string[];
  complaints: Complaint[];
  isDone(): boolean;
}

export function startReaders({ pos, owner, phones, complaints, isDone }: ReaderOptions): Readers {
  const reads = { rest: 0, sql: 0 };

  async function readRest(phone: string): Promise<void> {
    const answer = await sendRequest(pos, 'GET', `/customers/phone/${encodeURIComponent(phone)}/balances`);
    if (answer.status !== 200) return;
    const { balance, principal, bonus } = JSON.parse(answer.text).storedValue;
    const found = `REST, ${phone}: ${balance} = ${principal} + ${bonus}`;
    if (Math.min(balance, principal, bonus) < 0) complaints.push({ rule: 'a negative balance was read', found });
    if (balance !== principal + bonus)
      complaints.push({ rule: 'a balance was read that is not the sum of its parts', found });
    reads.rest += 1;
  }

  /** Reads all balances and lots in one snapshot. */
  async function readSql(): Promise<void> {
    const rows = await owner`
      select b.customer_id as id, b.principal::int, b.bonus::int, coalesce(least(l.least, b.principal, b.bonus), 0)::int as least,
        coalesce(l.principal, 0)::int as lot_principal, coalesce(l.bonus, 0)::int as lot_bonus
      from balances b left join (
        select customer_id, min(remaining) as least, sum(remaining) filter (where part = 'principal') as principal,
          sum(remaining) filter (where part = 'bonus') as bonus
        from lots group by customer_id
      ) l using (customer_id)`;
    for (const { id, principal, bonus, least, lot_principal, lot_bonus } of rows) {
      const found = `SQL, ${id}: ${principal} + ${bonus}; in lots ${lot_principal} + ${lot_bonus}, the least ${least}`;
      if (least < 0) complaints.push({ rule: 'a negative balance was read', found });
      if (principal !== lot_principal || bonus !== lot_bonus)
        complaints.push({ rule: 'a balance was read that is not the sum of its parts', found });
      reads.sql += 1;
    }
  }

  /** The database is down at times. */
  const readSqlIfThere = () =>
    readSql().catch((error) => {
      if (!isUnavailable(error)) throw error;
    });

  const repeat = async (read: () => Promise<void>, pauseMs: number) => {
    try {
      while (!isDone()) {
        await read();
        await wait(pauseMs);
      }
    } catch (error) {
      complaints.push({ rule: 'balances could not be read', found: String(error) });
    }
  };
  const rest = phones.map((phone) => repeat(() => readRest(phone), 20));
  return { reads, finished: Promise.all([...rest, repeat(readSqlIfThere, 50)]) };
}
