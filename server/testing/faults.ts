/** Simulates database failures. */
import type { Connection, Database, Sql } from '@/db/driver';

/**
 * Wraps a database so that the responses to two commits never arrive: the first two after statements that contain
 * `ofStatement` and wrote several rows, given as JSON.
 */
export function losingAnswers(db: Database, ofStatement: string) {
  const lost = { groups: 0 };
  const reserve = async (): Promise<Connection> => {
    const connection = await db.reserve();
    let rows = 0;
    const unsafe = (text: string, parameters: string[], ...options: never[]) => {
      const query = connection.unsafe(text, parameters, ...options);
      if (text.includes(ofStatement)) rows += JSON.parse(parameters[0] ?? '').length;
      if (text !== 'commit' || rows < 2 || lost.groups === 2) return query;
      lost.groups += 1;
      return query.then(() => {
        throw Object.assign(new Error('the connection was closed'), { code: 'CONNECTION_CLOSED' });
      });
    };
    return { unsafe: unsafe as unknown as Connection['unsafe'], release: () => connection.release() };
  };
  return { db: { ...db, reserve }, lost };
}

/** Locks the customers' balances until the returned function is called. */
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
