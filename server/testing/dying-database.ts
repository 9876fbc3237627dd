/** A worker that is killed in the middle of its work. */
import type { Connection, Database } from '@/db/driver';
import { Queries } from '@/db/query/queries';

/** The statement was not sent, because its process is dead. */
export class Died extends Error {}

/**
 * Returns the same database for a process that dies at its `step`-th statement. That statement and later ones are not
 * sent, and the current transaction is rolled back, as the server does when a client is gone. A commit counts as two
 * steps, because it may also be executed without a response. `isOver` tells whether there were fewer steps. `die` ends the process
 * in earnest; by default, the death is only an error.
 */
export function dyingAt(
  db: Database,
  step: number,
  die: (where: string) => never = (where) => {
    throw new Died(where);
  },
): { db: Database; isOver: () => boolean } {
  let sent = 0;
  const send = <T>(statement: () => T): T => {
    sent += 1;
    if (sent >= step) die(`before statement ${sent}`);
    return statement();
  };
  const commit = (statement: () => PromiseLike<unknown>) => {
    const done = send(statement);
    sent += 1;
    return sent < step ? done : done.then(() => die('before the commit was known'));
  };
  const reserve = async (): Promise<Connection> => {
    const connection = await db.reserve();
    const unsafe = (...statement: Parameters<Connection['unsafe']>) => {
      const [text] = statement;
      const call = () => connection.unsafe(...statement);
      if (text === 'rollback' || text.startsWith('begin')) return call();
      return text === 'commit' ? commit(call) : send(call);
    };
    return { unsafe: unsafe as Connection['unsafe'], release: () => connection.release() };
  };
  const pool = new Queries((statement) => send(() => db.pool.send(statement)));
  return { db: { ...db, pool, reserve }, isOver: () => sent < step };
}
