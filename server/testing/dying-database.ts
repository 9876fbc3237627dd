/** A worker that dies in the middle of what it does. */
import type { Database, Sql } from '@/db/client';

/** The statement never came, for its sender is dead. */
export class Died extends Error {}

/**
 * The same database, for a process that dies at its `step`-th statement: that one and all that follow are not sent, and
 * what was under way is rolled back, as the server does when a client is gone. A commit is two steps: it may also be
 * done, and nobody lives to know. `isOver` says whether there were fewer steps.
 */
export function dyingAt({ sql, ...db }: Database, step: number): { db: Database; isOver: () => boolean } {
  let sent = 0;
  const send = <T>(statement: () => T): T => {
    sent += 1;
    if (sent >= step) throw new Died(`before statement ${sent}`);
    return statement();
  };
  const commit = (statement: () => PromiseLike<unknown>) => {
    const done = send(statement);
    sent += 1;
    return sent < step
      ? done
      : done.then(() => {
          throw new Died('before the commit was known');
        });
  };
  const watched = <T extends object>(connection: T): T =>
    new Proxy(connection, {
      apply: (target, self, args) => {
        const call = (): PromiseLike<unknown> => Reflect.apply(target as never, self, args);
        const [text] = Array.isArray(args[0]?.raw) ? args[0] : [null];
        if (text === null || text === 'rollback') return call();
        return text === 'commit' ? commit(call) : send(call);
      },
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return name === 'reserve' ? async () => watched<Sql>(await member.call(target)) : member.bind(target);
      },
    });
  return { db: { ...db, sql: watched(sql) }, isOver: () => sent < step };
}
