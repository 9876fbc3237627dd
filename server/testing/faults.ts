/** What goes wrong with a database, for tests of what then happens. */
import type { Sql } from 'postgres';
import type { Database } from '@/db/client';

/**
 * The same database, of which the answers to two commits never arrive: of the first that write several rows by the statement
 * that contains `ofStatement`, whose second parameter is those rows as JSON.
 */
export function losingAnswers(db: Database, ofStatement: string) {
  const lost = { groups: 0 };
  const reserve = async () => {
    const own = await db.sql.reserve();
    let isGroup = false;
    return new Proxy(own, {
      apply: (_, __, [strings, ...values]: [TemplateStringsArray, ...string[]]) => {
        const query = own(strings, ...values) as unknown as Promise<unknown>;
        if (strings[0]?.includes(ofStatement)) isGroup ||= JSON.parse(values[1] as string).length > 1;
        if (strings[0] !== 'commit' || !isGroup || lost.groups === 2) return query;
        lost.groups += 1;
        return query.then(() => {
          throw Object.assign(new Error('the connection was closed'), { code: 'CONNECTION_CLOSED' });
        });
      },
    });
  };
  const sql = new Proxy(db.sql, { get: (pool, name) => (name === 'reserve' ? reserve : Reflect.get(pool, name)) });
  return { db: { ...db, sql }, lost };
}

/** Locks the customers' balances until the function that it answers is called. */
export async function holdBalances(owner: Sql, customerIds: string[]): Promise<() => Promise<void>> {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  let holder: Promise<unknown> = Promise.resolve();
  await new Promise<void>((isHeld, fail) => {
    holder = owner.begin(async (sql) => {
      await sql`select from balances where customer_id = any(${customerIds}) for update`;
      isHeld();
      await isReleased;
    });
    holder.catch(fail);
  });
  return async () => {
    release();
    await holder;
  };
}
