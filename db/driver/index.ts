/** What the driver offers to the rest of the application. Only this folder knows postgres.js. */

export {
  appRole,
  type Connection,
  checkDriver,
  connectDatabase,
  type Database,
  queriesOn,
  type Replica,
} from './client';
export { connectionName } from './connection-name';
export { describeConnectionProblem } from './connection-problem';
export { copyIn, copyOut, copySettings } from './copy';
export {
  type DatabaseError,
  DeadlinePassed,
  isAborted,
  isBeingMoved,
  isCheckViolation,
  isLockTimeout,
  isUnavailable,
  isUniqueViolation,
  type Shortage,
  shortageOf,
} from './errors';
export { listenToChannel } from './listen';
export { primaryOf } from './primary';
export { tryDisk } from './run-transaction';
export { openSnapshot, type Snapshot } from './snapshot';
export { type ISql, type Owner, openSql, type ReservedSql, type Row, type Sql, type TransactionSql } from './sql';
export {
  limitToStores,
  namePerson,
  showAllStores,
  withMerchant,
  withMerchants,
  withPerson,
  withSnapshot,
} from './tenant';
export type { Tx } from './transaction';
