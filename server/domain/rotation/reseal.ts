import { and, count, desc, eq, gt, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { type Owner, queriesOn } from '@/db/driver';
import { nameOf, recordset } from '@/db/query/expressions';
import { only, type Queries } from '@/db/query/queries';
import { authenticators, customerPins, dinerCodes, mails, messages, qrCodes, webhookEndpoints } from '@/db/schema';
import { StartupError } from '@/db/startup-error';
import { passwordResetTask } from '../access';
import {
  isKeyOfHash,
  type Keyring,
  type Keys,
  keyedHashBytes,
  keyIdBytes,
  resealPin,
  resealSecret,
} from '../kernel/secrets';
import { isTokenCurrent } from '../qr-ordering';

interface SealedColumn {
  what: string;
  table: PgTable;
  column: PgColumn;
  key: PgColumn[];
  /** What the value is bound to. */
  subject: SQL<string>;
  ring: keyof Keys;
  reseal: (ring: Keyring, subject: string, sealed: Buffer) => Buffer | null;
}

const textOf = (column: PgColumn) => sql<string>`${column}::text`;
const { merchantId, phone, id: codeId } = dinerCodes;

/** Every column that holds sealed values. */
export const sealedColumns: SealedColumn[] = [
  {
    what: 'PINs',
    table: customerPins,
    column: customerPins.hash,
    key: [customerPins.merchantId, customerPins.customerId],
    subject: textOf(customerPins.customerId),
    ring: 'pinKey',
    reseal: resealPin,
  },
  {
    what: 'Sign-in codes of diners',
    table: dinerCodes,
    column: dinerCodes.hash,
    key: [merchantId, phone],
    subject: sql`${merchantId} || ':' || ${phone} || ':' || ${codeId}`,
    ring: 'pinKey',
    reseal: resealPin,
  },
  {
    what: 'Messages to customers',
    table: messages,
    column: messages.secret,
    key: [messages.merchantId, messages.id],
    subject: textOf(messages.id),
    ring: 'messageKey',
    reseal: resealSecret,
  },
  {
    what: 'Mails to staff',
    table: mails,
    column: mails.letter,
    key: [mails.id],
    subject: textOf(mails.id),
    ring: 'messageKey',
    reseal: resealSecret,
  },
  {
    what: 'Authenticator apps of staff',
    table: authenticators,
    column: authenticators.secret,
    key: [authenticators.userId],
    subject: sql`'authenticator of ' || ${authenticators.userId}`,
    ring: 'factorKey',
    reseal: resealSecret,
  },
  ...[webhookEndpoints.secret, webhookEndpoints.previousSecret].map((column) => ({
    what: column === webhookEndpoints.secret ? 'Secrets of webhooks' : 'Secrets of webhooks, until they end',
    table: webhookEndpoints,
    column,
    key: [webhookEndpoints.merchantId, webhookEndpoints.id],
    subject: sql<string>`'webhook endpoint ' || ${webhookEndpoints.id}`,
    ring: 'webhookKey' as const,
    reseal: resealSecret,
  })),
];

export interface Resealed {
  what: string;
  /** How many were resealed. */
  done: number;
  /** How many still use another key. */
  left: number;
}

/** Small, because a till whose PIN is in the batch waits for it: a few milliseconds. */
const batchSize = 200;
const maxPasses = 5;

/**
 * Reseals everything with the first of the keys. Rows in use are skipped and tried again, so it can run while tills
 * work, twice, or at once; after an interruption it continues. QR tokens and requests for password resets can't be
 * resealed. They are only counted, and expire by themselves. `owner` sees all merchants. Errors: `StartupError`, before
 * any change, if PINs of an earlier release were stored with neither key.
 */
export async function resealSecrets(owner: Owner, keys: Keys): Promise<Resealed[]> {
  const db = queriesOn(owner);
  await checkKeyedHashes(db, keys);
  const resealed: Resealed[] = [];
  for (const sealed of sealedColumns) {
    let done = 0;
    for (let pass = 0; pass < maxPasses; pass++) {
      done += await resealOnce(owner, sealed, keys);
      if ((await countOld(db, sealed, keys)) === 0) break;
    }
    resealed.push({ what: sealed.what, done, left: await countOld(db, sealed, keys) });
  }
  return [
    ...resealed,
    { what: 'Open QR codes', done: 0, left: await countOldTokens(db, keys) },
    { what: 'Requests for password resets', done: 0, left: await countOldResets(db, keys) },
  ];
}

/**
 * A hash of an earlier release opens with any key. If it were sealed with a mistyped key, no PIN would ever be right
 * again. So some of the newest hashes are checked first.
 */
async function checkKeyedHashes(db: Queries, { pinKey }: Keys): Promise<void> {
  const { customerId, hash, updatedAt } = customerPins;
  const some = await db
    .select({ customerId, hash })
    .from(customerPins)
    .where(eq(sql`octet_length(${hash})`, keyedHashBytes))
    .orderBy(desc(updatedAt))
    .limit(20);
  if (some.length === 0 || some.some((pin) => isKeyOfHash(pinKey, pin.customerId, pin.hash))) return;
  throw new StartupError(
    'DATA_SECRET_ALSO_ACCEPTED is not the secret that PINs are stored with: with another, they would be lost. Nothing was changed.',
  );
}

/** Goes through the table once, by key. Returns how many values it resealed. */
async function resealOnce(owner: Owner, sealed: SealedColumn, keys: Keys): Promise<number> {
  let done = 0;
  let after: string[] | undefined;
  do {
    const batch = await resealBatch(owner, sealed, keys, after);
    done += batch.done;
    after = batch.last;
  } while (after);
  return done;
}

async function resealBatch(owner: Owner, sealed: SealedColumn, keys: Keys, after: string[] | undefined) {
  const { table, column, key, subject, ring } = sealed;
  return owner.begin(async (transaction) => {
    const db = queriesOn(transaction);
    const rows = await db
      .select({ key: sql<string[]>`array[${list(key.map(textOf))}]`, subject, value: sql<Buffer>`${column}` })
      .from(table)
      .where(and(isOld(sealed, keys), after && sql`(${list(key)}) > (${list(after)})`))
      .orderBy(...key)
      .limit(batchSize)
      .for('update', { skipLocked: true });
    const fresh = rows.flatMap((row) => {
      const value = sealed.reseal(keys[ring], row.subject, row.value);
      return value ? [{ ...Object.fromEntries(key.map(({ name }, at) => [name, row.key[at]])), value }] : [];
    });
    const columns: Record<string, PgColumn> = {
      ...Object.fromEntries(key.map((part) => [part.name, part])),
      value: column,
    };
    const given = recordset('fresh', columns, fresh);
    const isRow = and(...key.map((part) => eq(part, given[part.name])));
    const { count: done } = await db.run(
      sql`update ${table} set ${nameOf(column)} = ${given.value} from ${given.$rows} where ${isRow}`,
    );
    return { done, last: rows.at(-1)?.key };
  });
}

const list = (parts: unknown[]) =>
  sql.join(
    parts.map((part) => sql`${part}`),
    sql`, `,
  );

const idOf = ([{ id }]: Keyring) => id;
const keyIdOf = (sealed: PgColumn | SQL) => sql`substring(${sealed} from 1 for ${sql.raw(String(keyIdBytes))})`;
const isOld = ({ column, ring }: SealedColumn, keys: Keys) =>
  and(isNotNull(column), sql`${keyIdOf(column)} <> ${idOf(keys[ring])}`);

async function countOld(db: Queries, sealed: SealedColumn, keys: Keys): Promise<number> {
  return only(await db.select({ left: count() }).from(sealed.table).where(isOld(sealed, keys))).left;
}

/** Counts the open codes whose address can't be shown again without the other key. */
async function countOldTokens(db: Queries, { tokenKey }: Keys): Promise<number> {
  const { id, tokenHash, status, expiresAt } = qrCodes;
  const open = await db
    .select({ id, tokenHash })
    .from(qrCodes)
    .where(and(eq(status, 'active').inlineParams(), gt(expiresAt, sql`now()`)));
  return open.filter((code) => !isTokenCurrent(tokenKey, code)).length;
}

async function countOldResets(db: Queries, { messageKey }: Keys): Promise<number> {
  const queued = sql`graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id`;
  const [row] = await db
    .select({ left: count() })
    .from(queued)
    .where(
      sql`task.identifier = ${passwordResetTask} and job.attempts < job.max_attempts
        and ${keyIdOf(sql`decode(job.payload ->> 'request', 'base64')`)} <> ${idOf(messageKey)}`,
    );
  return row?.left ?? 0;
}
