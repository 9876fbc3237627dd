/** Runs one database transaction: its commit is sent with the last statements, and not after the caller's deadline. */
import { currentSpan, inSpan } from '@/server/observe/spans';
import { type Connection, type Database, queriesOn, type Sent, sendStatement, spanOfDatabase } from './client';
import { type DatabaseError, DeadlinePassed, isAborted, shortageOf } from './errors';
import { isWritten } from './is-written';
import type { Transaction } from './transaction';

/** `command` sends a statement without parameters that is not prepared. */
export type Work<T> = (tx: Transaction, command: (text: string) => void) => Promise<T>;

/** Runs `work` after `setting`, in a database transaction of its own. Errors: `DeadlinePassed`, and those of `work`. */
export const runTransaction = <T>(db: Database, setting: string, work: Work<T>): Promise<T> =>
  inSpan('transaction', () => attempt(db, setting, work), spanOfDatabase);

/** Errors: `DeadlinePassed` if too little time is left to commit before the caller stops waiting. */
function ensureTime({ deadline }: Database): void {
  if (deadline !== undefined && performance.now() > deadline) throw new DeadlinePassed('no time is left to commit');
}

async function attempt<T>(db: Database, setting: string, work: Work<T>): Promise<T> {
  ensureTime(db);
  const connection = await reserve(db);
  currentSpan()?.addEvent('connected');
  const queries = queriesOn(connection);
  const sent: Sent[] = [];
  const execute = (statement: Sent) => {
    sent.push(statement.execute());
    statement.catch(() => {});
  };
  const send: Transaction['send'] = (...statements) => {
    for (const statement of statements) if (statement) execute(sendStatement(connection, statement.toSQL()));
  };
  let isOpen = true;
  try {
    // One message, sent together with the first statements of `work`.
    const begin: Sent = connection.unsafe(`begin${db.isReadOnly ? ' read only' : ''}; ${setting}`);
    execute(begin);
    // The message may have been delayed on the network. The server's remaining time is known once it responds.
    const begunBy = begin.then(() => performance.now());
    begunBy.catch(() => {});
    ensureTime(db);
    const result = await work({ db: queries, send }, (text) => execute(connection.unsafe(text)));
    // A statement that the driver cannot send does not abort the transaction, so the commit waits for all results.
    if (!sent.every(isWritten)) await Promise.all(sent);
    const msLeft = db.deadline === undefined ? null : db.deadline - (await begunBy);
    ensureTime(db);
    const inTime = msLeft === null ? null : abortAfter(connection, msLeft);
    const commit = sendStatement(connection, { sql: 'commit', params: [] });
    await Promise.all([...sent, inTime, commit]);
    isOpen = false;
    const { command } = await commit;
    // PostgreSQL responds to the commit of an aborted transaction with ROLLBACK and no error.
    if (command !== 'COMMIT') throw new Error('the database transaction was rolled back');
    return result;
  } catch (error) {
    // Every statement after a failed one fails with this code. The first error is the cause.
    db.lacks.last = shortageOf(error) ?? db.lacks.last;
    if (isAborted(error)) await Promise.all(sent);
    throw error;
  } finally {
    if (isOpen) await connection.unsafe('rollback').catch(() => {});
    connection.release();
    db.usage.running -= 1;
  }
}

/**
 * Writes a megabyte to the database's disk and leaves nothing behind: rows beyond `work_mem` go to a temporary file.
 * Errors: those of a database that can't write.
 */
export async function tryDisk({ reserve }: Pick<Database, 'reserve'>): Promise<void> {
  const connection = await reserve();
  try {
    await connection.unsafe("begin; set local work_mem = '64kB'; select count(*) from generate_series(1, 60000)");
  } finally {
    await connection.unsafe('rollback').catch(() => {});
    connection.release();
  }
}

async function reserve({ reserve, usage }: Database): Promise<Connection> {
  usage.waiting += 1;
  const connection = await reserve().finally(() => {
    usage.waiting -= 1;
  });
  usage.running += 1;
  return connection;
}

/** Aborts a database transaction that began more than `ms` ago, such as one whose statements waited for locks. */
function abortAfter(connection: Connection, ms: number): Promise<unknown> {
  return connection
    .unsafe(`select 1 / (clock_timestamp() < now() + interval '${Math.floor(ms)} ms')::int`)
    .catch((error: DatabaseError) => {
      throw error.code === '22012' ? new DeadlinePassed('no time was left to commit') : error;
    });
}
