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
import { transact, type Work } from './run-transaction';
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
 * As `withMerchant`, for reading: `work` sees the rows of one moment and can't write. It also works while the merchant's
 * writes are stopped.
 */
export async function withSnapshot<T>(db: Database, merchantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const ofOneMoment = 'set transaction isolation level repeatable read, read only';
  const tenant = `set local app.merchant_id = '${uuidOf('the id of a merchant', merchantId)}'`;
  return withSettings(db, `${ofOneMoment}; ${tenant}`, (tx) => work(ofMerchant(merchantId, tx)));
}

/** Names the tenant of the running database transaction. Fails where nothing may be written for the merchant. */
const enterMerchant = (merchantId: string): string =>
  `call enter_merchant('${uuidOf('the id of a merchant', merchantId)}')`;

/**
 * The same for several merchants: `work` gets a `Tx` of each, in their order. A statement sees only the rows of the
 * merchant whose `Tx` sends it. They are committed together, or none is.
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

/** As `withMerchant`, for the rows that are a person's own, whichever merchants they work for. */
export const withPerson = async <T>(db: Database, userId: string, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  withSettings(db, `set local app.user_id = '${uuidOf('the id of a person', userId)}'`, work);

/** Names a person in a database transaction of a merchant: it then sees and changes that person's rows, too. */
export const namePerson = (db: Queries, userId: string) =>
  db.run(sql`select set_config('app.user_id', ${userId}, true)`);

function uuidOf(what: string, id: string): string {
  if (!uuidPattern.test(id)) throw new TypeError(`${what} is not a UUID`);
  return id;
}

async function withSettings<T>(db: Database, settings: string, work: Work<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await transact(db, [...lockSetting(db), settings, ...storesSetting(db)].join('; '), work);
    } catch (error) {
      const isWorthTrying = isRetryable(error) || (db.isReadOnly && isConnectionLost(error));
      if (tries === maxTries || !isWorthTrying) throw error;
    }
  }
}

const lockSetting = ({ lockTimeoutMs }: Database): string[] =>
  lockTimeoutMs === undefined ? [] : [`set local lock_timeout = ${lockTimeoutMs}`];

/** What the policies of stores read; nothing without a limit. */
function storesSetting({ stores }: Pick<Database, 'stores'>): string[] {
  if (!stores) return [];
  if (!stores.every((id) => uuidPattern.test(id))) throw new TypeError('the id of a store is not a UUID');
  return [`set local app.stores = '{${stores.join()}}'`];
}

/**
 * Returns the database as staff of these stores see it: row-level security hides the rows of other stores, also from
 * single statements, each of which then has a database transaction of its own.
 */
export function limitToStores(db: Database, stores: readonly string[]): Database {
  const limited = new Queries((statement) =>
    transact(db, storesSetting({ stores }).join(), async (tx) => await tx.db.send(statement)),
  );
  return { ...db, stores, pool: limited, reads: limited };
}

/**
 * Shows the statements that follow in the transaction the rows of all stores, for what is the merchant's as a whole. Call
 * it once the rows that the caller named have been found.
 */
export const showAllStores = ({ db, send }: Tx): void => send(db.run(sql`set local app.stores = ''`));
