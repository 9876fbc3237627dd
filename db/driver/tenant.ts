/**
 * Database transactions of a tenant. Every query of a tenant goes through `withMerchant`, or starts from `set_tenant()` when
 * it is a single statement that reads. Both set the tenant inside the database transaction, so that it cannot leak through
 * a pooler.
 */
import { sql } from 'drizzle-orm';
import { Queries } from '../query/queries';
import type { Database } from './client';
import { isConnectionLost, isRetryable } from './errors';
import { ofMerchant, openLanes } from './lanes';
import { runTransaction, type Work } from './run-transaction';
import type { Transaction, Tx } from './transaction';

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const maxTries = 4;

/**
 * Runs `work` in one database transaction that sees only the rows of `merchantId`. After a deadlock or serialisation
 * failure it runs again, so `work` must keep no state outside its transaction. Errors: `isBeingMoved` for a merchant that
 * is not at home in this cell, or about to leave it.
 */
export async function withMerchant<T>(db: Database, merchantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return withSettings(db, enterMerchant(merchantId), (tx) => work(ofMerchant(merchantId, tx)));
}

/**
 * Like `withMerchant`, for reading: `work` sees the rows of one moment and can't write. It also works while the
 * merchant's writes are stopped.
 */
export async function withSnapshot<T>(db: Database, merchantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const ofOneMoment = 'set transaction isolation level repeatable read, read only';
  const tenant = `set local app.merchant_id = '${uuidOf('the id of a merchant', merchantId)}'`;
  return withSettings(db, `${ofOneMoment}; ${tenant}`, (tx) => work(ofMerchant(merchantId, tx)));
}

/** Names the tenant of the running database transaction. Fails while the merchant's writes are stopped. */
const enterMerchant = (merchantId: string): string =>
  `call enter_merchant('${uuidOf('the id of a merchant', merchantId)}')`;

/**
 * Like `withMerchant`, for several merchants: `work` gets a `Tx` for each, in their order. A statement sees only the
 * rows of its `Tx`'s merchant. All of them commit, or none.
 */
export async function withMerchants<T>(
  db: Database,
  merchantIds: string[],
  work: (txs: Tx[]) => Promise<T>,
): Promise<T> {
  const [first] = merchantIds;
  if (first !== undefined && merchantIds.length === 1) return withMerchant(db, first, (tx) => work([tx]));
  return withSettings(db, merchantIds.map(enterMerchant).join('; '), async (tx, command) => {
    const lanes = openLanes(merchantIds, { ...tx, name: (id) => command(`set local app.merchant_id = '${id}'`) });
    try {
      const result = await work(lanes.txs);
      lanes.flush();
      return result;
    } finally {
      lanes.close();
    }
  });
}

/** Like `withMerchant`, for the rows that belong to a person, across all merchants. */
export const withPerson = async <T>(db: Database, userId: string, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  withSettings(db, `set local app.user_id = '${uuidOf('the id of a person', userId)}'`, work);

/** Names a person in a merchant's database transaction: it then also sees and changes that person's rows. */
export const namePerson = (db: Queries, userId: string) =>
  db.run(sql`select set_config('app.user_id', ${userId}, true)`);

function uuidOf(what: string, id: string): string {
  if (!uuidPattern.test(id)) throw new TypeError(`${what} is not a UUID`);
  return id;
}

async function withSettings<T>(db: Database, settings: string, work: Work<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await runTransaction(db, [...lockSetting(db), settings, ...storesSetting(db)].join('; '), work);
    } catch (error) {
      const isWorthTrying = isRetryable(error) || (db.isReadOnly && isConnectionLost(error));
      if (tries === maxTries || !isWorthTrying) throw error;
    }
  }
}

const lockSetting = ({ lockTimeoutMs }: Database): string[] =>
  lockTimeoutMs === undefined ? [] : [`set local lock_timeout = ${lockTimeoutMs}`];

/** Sets what the store policies read; sets nothing for a database without a limit. */
function storesSetting({ stores }: Pick<Database, 'stores'>): string[] {
  if (!stores) return [];
  if (!stores.every((id) => uuidPattern.test(id))) throw new TypeError('the id of a store is not a UUID');
  return [`set local app.stores = '{${stores.join()}}'`];
}

/**
 * Returns the database as staff of these stores see it. Row-level security hides the rows of other stores. Single
 * statements each get a database transaction of their own, so that it also holds for them.
 */
export function limitToStores(db: Database, stores: readonly string[]): Database {
  const limited = new Queries((statement) =>
    runTransaction(db, storesSetting({ stores }).join(), async (tx) => await tx.db.send(statement)),
  );
  return { ...db, stores, pool: limited, reads: limited };
}

/**
 * Shows the transaction's further statements the rows of all stores, to compute what belongs to the merchant as a
 * whole. Call it after the rows that the caller named have been found.
 */
export const showAllStores = ({ db, send }: Tx): void => send(db.run(sql`set local app.stores = ''`));
