import { and, asc, eq, getTableName, gt, inArray, isNotNull, isNull, max, ne, or, sql } from 'drizzle-orm';
import { copySettings, type DatabaseError, type Owner, queriesOn } from '@/db/driver';
import { only, type Queries } from '@/db/query/queries';
import { apiKeys, customers, customerTerms, ledgerEntries, memberships, merchants, stores, users } from '@/db/schema';
import { StartupError } from '@/db/startup-error';
import { type ApiEnvironment, hashApiKey, type KeyCell, newApiKey } from '../access';
import { auditChange } from '../kernel/audit';
import type { ArchiveKeys } from '../kernel/context';
import { findViolation } from '../ledger';
import { ensureAtHome } from '../merchants';
import { bringInRows } from './bring-in-rows';
import type { Manifest } from './manifest';
import { archivedTables, fileOf, peopleFile } from './members';
import { addPeople } from './people';
import type { OpenArchive } from './read';
import { checkOrigin } from './signature';

export interface ImportOptions {
  environment: ApiEnvironment;
  /** The cell that new keys name. */
  cell: KeyCell;
  /** The ids of this deployment's secrets. */
  secretIds: string[];
  /** `carry` keeps working keys as they are; `new` replaces them by new ones. */
  keys: 'carry' | 'new';
  /** True if the operator knows that accounts with the id or address of the merchant's people belong to them. */
  arePeopleSame: boolean;
  /** The deployments whose archives are imported. */
  archiveKeys: ArchiveKeys;
  /** The SHA-256 by which the operator names a file of an unknown origin. */
  namedFingerprint: string | undefined;
  now: Date;
}

export interface Imported {
  merchant: { id: string; name: string; isClosed: boolean };
  rows: number;
  /** The new keys, shown once. */
  newKeys: { name: string; storeCode: string | null; key: string }[];
  /** Owners who had no account here. */
  newOwners: string[];
  /** How many of the staff had no account here. */
  newPeople: number;
}

/**
 * Imports a merchant's archive into this database, as its tables' owner: completely or not at all. Errors:
 * `StartupError` if the merchant already exists, or if the archive does not fit this deployment or the options.
 */
export async function importMerchant(owner: Owner, archive: OpenArchive, options: ImportOptions): Promise<Imported> {
  const { manifest } = archive;
  checkOrigin(archive, options);
  checkOptions(manifest, options);
  const { id } = manifest.merchant;
  return owner
    .begin(async (connection) => {
      const db = queriesOn(connection);
      await db.run(copySettings);
      const [existing] = await db.select({ id: merchants.id }).from(merchants).where(eq(merchants.id, id));
      if (existing) throw alreadyHere(manifest);
      await ensureAtHome(db, manifest.merchant);
      const { newPeople, ...arrival } = await addPeople(db, await archive.open(peopleFile), options);
      const filled = new Set(manifest.members.filter(({ rows }) => rows > 0).map(({ file }) => file));
      for (const table of archivedTables)
        if (filled.has(fileOf(table))) await bringInRows(table, { connection, db, archive, ...arrival });
      await checkLedger(db, manifest);
      const tx = { merchantId: id, db };
      await forgetTermsOfErased(db, id);
      await forgetEndpoints(db, id);
      const newKeys = await settleKeys(db, id, options);
      const rows = manifest.members.reduce((sum, member) => sum + member.rows, 0);
      const after = { rows, newKeys: newKeys.length };
      await auditChange(tx, { kind: 'service', id: null }, 'merchant.import', { kind: 'merchant', id }, options.now, {
        after,
      });
      const found = await db
        .select({ id: merchants.id, name: merchants.name, closedAt: merchants.closedAt })
        .from(merchants)
        .where(eq(merchants.id, id));
      const { closedAt, ...merchant } = only(found);
      const newOwners = await ownersAmong(db, id, newPeople);
      await numberLaterEntries(db, id);
      return {
        merchant: { ...merchant, isClosed: closedAt !== null },
        rows,
        newKeys,
        newOwners,
        newPeople: newPeople.length,
      };
    })
    .catch(explain(manifest)) as Promise<Imported>;
}

/** Errors: `StartupError` if balances, lots and entries contradict each other. */
async function checkLedger(db: Queries, { merchant: { id } }: Manifest): Promise<void> {
  const violation = await findViolation(db, id);
  if (!violation) return;
  const { rule, subject, found } = violation;
  throw new StartupError(`The archive's ledger does not add up (${rule}: ${subject}: ${found}): nothing was imported.`);
}

function checkOptions(manifest: Manifest, { environment, secretIds, keys }: ImportOptions): void {
  if (manifest.environment !== environment)
    throw new StartupError(`The archive is of a ${manifest.environment} deployment, and this one is ${environment}.`);
  if (keys === 'carry' && !manifest.hasSecrets)
    throw new StartupError(
      'The archive has no API keys to carry over: export it with --secrets, or import it with --keys new.',
    );
  if (!manifest.secretIds.every((id) => secretIds.includes(id)))
    throw new StartupError(
      'PINs and QR codes of the archive need the DATA_SECRET that they were written with: set it here, or as DATA_SECRET_ALSO_ACCEPTED, or export without --secrets.',
    );
}

const alreadyHere = ({ merchant: { id, name } }: Manifest) =>
  new StartupError(`${name} (${id}) is in this database already: nothing was imported.`);

const oneLine = (text: string) => text.replace(/\s+/g, ' ');

/** Turns what the database refuses into one line. Other errors pass. */
const explain =
  (manifest: Manifest) =>
  (error: DatabaseError): never => {
    if (/^2[23]/.test(error.code ?? '') && error.code !== '23505')
      throw new StartupError(
        `The database refuses a value of the archive (${error.constraint_name ?? oneLine(String(error))}): nothing was imported.`,
      );
    if (error.code !== '23505') throw error;
    // Another import of the merchant was faster.
    if (error.constraint_name === 'merchants_pkey') throw alreadyHere(manifest);
    throw new StartupError(
      `Something of the archive is in this database already, at another merchant (${error.constraint_name}): nothing was imported.`,
    );
  };

/**
 * Gives each working key a new secret, with the same id, name and limits. If keys are carried over, checks instead that
 * they are of this deployment's environment, because the service would not start with others.
 */
async function settleKeys(db: Queries, merchantId: string, { keys, environment, cell, now }: ImportOptions) {
  const works = and(
    eq(apiKeys.merchantId, merchantId),
    isNull(apiKeys.revokedAt),
    or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
  );
  if (keys === 'carry') {
    const [other] = await db
      .select({ name: apiKeys.name })
      .from(apiKeys)
      .where(and(works, ne(apiKeys.environment, environment)));
    if (other)
      throw new StartupError(`The API key ${other.name} is not of a ${environment} deployment: nothing was imported.`);
    return [];
  }
  const { storeCode } = stores;
  const working = await db
    .select({ id: apiKeys.id, name: apiKeys.name, storeCode })
    .from(apiKeys)
    .leftJoin(stores, and(eq(stores.merchantId, apiKeys.merchantId), eq(stores.id, apiKeys.storeId)))
    .where(works)
    .orderBy(asc(storeCode), asc(apiKeys.id));
  const created = working.map((one) => ({ ...one, key: newApiKey(environment, { cell }) }));
  for (const { id, key } of created) {
    await db
      .update(apiKeys)
      .set({ hash: hashApiKey(key), lastFour: key.slice(-4), environment })
      .where(and(eq(apiKeys.merchantId, merchantId), eq(apiKeys.id, id)));
  }
  return created.map(({ name, storeCode, key }) => ({ name, storeCode, key }));
}

/** PostgreSQL creates search terms for every imported customer, but erased customers must have none. */
async function forgetTermsOfErased(db: Queries, merchantId: string): Promise<void> {
  const { merchantId: ofMerchant, id, erasedAt } = customers;
  const erased = db
    .select({ id })
    .from(customers)
    .where(and(eq(ofMerchant, merchantId), isNotNull(erasedAt)));
  await db
    .delete(customerTerms)
    .where(and(eq(customerTerms.merchantId, merchantId), inArray(customerTerms.customerId, erased)));
}

/** Webhook endpoints are not imported, so the events that they wanted are no longer recorded. */
async function forgetEndpoints(db: Queries, merchantId: string): Promise<void> {
  const { id, recordsEvents, eventTypes } = merchants;
  await db
    .update(merchants)
    .set({ eventTypes: sql`case when ${recordsEvents} then ${eventTypes} else '{}' end` })
    .where(eq(id, merchantId));
}

async function ownersAmong(db: Queries, merchantId: string, newPeople: string[]): Promise<string[]> {
  const owners = await db
    .select({ id: users.id, email: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.merchantId, merchantId), eq(memberships.role, 'owner')));
  return owners.filter(({ id }) => newPeople.includes(id)).map(({ email }) => email);
}

/**
 * Makes later ledger entries have greater numbers than the imported ones, as the reports require. All merchants share
 * the numbers, so the sequence is locked until the database transaction ends. So this runs last, and only if the
 * sequence is behind.
 */
async function numberLaterEntries(db: Queries, merchantId: string): Promise<void> {
  const { id } = ledgerEntries;
  const found = await db
    .select({ last: max(id) })
    .from(ledgerEntries)
    .where(eq(ledgerEntries.merchantId, merchantId));
  const { last } = only(found);
  if (last === null) return;
  const name = `${getTableName(ledgerEntries)}_${id.name}_seq`;
  const sequence = sql.identifier(name);
  const [behind] = await db.select({ isSo: sql<boolean>`last_value < ${last}` }).from(sql`${sequence}`);
  // Checks now what would be checked at the end of the database transaction, while others wait.
  await db.run(sql`set constraints all immediate`);
  if (!behind?.isSo) return;
  await db.run(sql`set local lock_timeout = '5s'`);
  await db.run(sql`alter sequence ${sequence} no cycle`);
  await db.run(sql`select setval(${name}::regclass, greatest(last_value, ${last}::bigint)) from ${sequence}`);
}
