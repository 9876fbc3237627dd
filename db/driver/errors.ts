/** What an error of the database means. */
import { tlsCodes } from './connection-problem';

/** The caller has stopped waiting, or is about to: the transaction is rolled back. */
export class DeadlinePassed extends Error {
  override name = 'DeadlinePassed';
}

export interface DatabaseError {
  code?: string;
  constraint_name?: string;
}

/** True for a deadlock or a serialisation failure: the same work may succeed now. */
export function isRetryable(error: unknown): boolean {
  const { code } = error as DatabaseError;
  return code === '40P01' || code === '40001';
}

/** True if an earlier statement of the database transaction failed: the earlier error is the cause. */
export const isAborted = (error: unknown): boolean => (error as DatabaseError | null)?.code === '25P02';

/**
 * True if the merchant's writes are stopped: it is moving to another cell, or is not at home in this one
 * (`enter_merchant`). The same work succeeds a few seconds later, perhaps in the other cell.
 */
export const isBeingMoved = (error: unknown): boolean => (error as DatabaseError | null)?.code === 'LM001';

/** True if a lock was not free within the transaction's lock timeout. */
export const isLockTimeout = (error: unknown): boolean => (error as DatabaseError | null)?.code === '55P03';

/** True for a duplicate key; with `constraint`, only for that constraint. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const { code, constraint_name: name } = error as DatabaseError;
  return code === '23505' && name === constraint;
}

/** True if a CHECK refused a row. */
export function isCheckViolation(error: unknown, constraint: string): boolean {
  const { code, constraint_name: name } = error as DatabaseError;
  return code === '23514' && name === constraint;
}

const lostCodes = [
  'ANSWER_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'ECONNRESET',
  'EPIPE',
  '57P01', // shut down by the administrator
  '57P02', // crash of the server
];

/** True if the server ended a connection in use, or stopped answering on it. */
export const isConnectionLost = (error: unknown): boolean =>
  lostCodes.includes(String((error as DatabaseError | null)?.code));

const unavailableCodes = new Set([
  ...tlsCodes,
  ...lostCodes,
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  '53000', // insufficient resources
  '53100', // disk full
  '53200', // out of memory
  '53300', // too many connections
  '55P03', // lock not available
  '57014', // statement timeout
  '57P03', // starting up or shutting down
  '40001', // serialisation failures and deadlocks, after a few retries
  '40P01',
  '25006', // read-only: a standby that is not yet promoted, or a disk that is running full
  '25P03', // idle in transaction too long
]);

const shortages = { '53100': 'disk_full', '53200': 'out_of_memory', '25006': 'read_only' } as const;
export type Shortage = (typeof shortages)[keyof typeof shortages];

/** What the database lacks for writing (disk, connections); null if the error says nothing about that. */
export const shortageOf = (error: unknown): Shortage | null =>
  shortages[(error as DatabaseError | null)?.code as keyof typeof shortages] ?? null;

/** True if the database is down or overloaded; false if the query itself is wrong. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DeadlinePassed || isBeingMoved(error)) return true;
  const code = (error as DatabaseError | null)?.code;
  return typeof code === 'string' && (unavailableCodes.has(code) || code.startsWith('08'));
}
