import type { KeyObject } from 'node:crypto';
import { addAbortSignal, pipeline, type Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { eq, type SQL, sql } from 'drizzle-orm';
import { ZipFile } from 'yazl';
import { copyOut, copySettings, type Owner, queriesOn } from '@/db/driver';
import { newestMigration } from '@/db/operations/migrations-folder';
import { merchants } from '@/db/schema';
import { DomainError } from '../kernel/errors';
import { say } from '../kernel/say';
import { uuid } from '../kernel/schemas';
import { type Manifest, type Member, Meter, manifestFile } from './manifest';
import { archivedTables, fileOf, peopleFile, peopleOf, rowsOf } from './members';
import { signatureFile, signManifest } from './signature';

interface ExportOptions {
  merchantId: string;
  release: string;
  environment: 'sandbox' | 'live';
  /** The ids of the deployment's secrets, to include what works only with them; null to leave that out. */
  secretIds: string[] | null;
  /** Signs the archive; null leaves it unsigned. */
  signingKey: KeyObject | null;
  now: Date;
}

export interface Archive {
  /** The zip file. A reader that stops must destroy it. */
  file: Readable;
  /** The manifest, once everything is read. Rejects if the file fails. */
  written: Promise<Manifest>;
  /** How many rows the complete files contain so far. */
  rows: () => number;
}

/** A separate database session: the tables' owner's, or the service's, which row-level security binds. */
interface Session extends Owner {
  end(options: { timeout: number }): Promise<void>;
}

/**
 * Writes everything that the merchant has into a zip of CSV files, as of one moment, while the merchant works on. Rows
 * are streamed, so that their number does not matter. Ends the session. Errors: `merchant_not_found`,
 * `export_in_progress` if another export of the merchant is running.
 */
export async function exportMerchant(session: Session, options: ExportOptions): Promise<Archive> {
  const merchantId = uuid.parse(options.merchantId);
  const zip = new ZipFile();
  const file = zip.outputStream as Readable;
  // The export reports the same failure.
  zip.on('error', () => {});
  const entries: Member[] = [];
  const rows = () => entries.reduce((sum, member) => sum + member.rows, 0);
  const cancelled = new AbortController();
  file.on('close', () => cancelled.abort());
  return new Promise((resolve, reject) => {
    const work = session.begin('isolation level repeatable read read only', async (connection) => {
      const merchant = await open(queriesOn(connection), merchantId);
      const written = writeMembers(connection, zip, options, entries, cancelled.signal).then(
        () => end(zip, manifestOf(merchant, options, entries), options.signingKey),
        (error) => {
          file.destroy(error);
          throw error;
        },
      );
      resolve({ file, written, rows });
      return written;
    });
    work.catch(reject).finally(() => session.end({ timeout: 5 }));
  });
}

async function writeMembers(
  connection: Pick<Owner, 'unsafe'>,
  zip: ZipFile,
  { merchantId, secretIds }: ExportOptions,
  entries: Member[],
  cancelled: AbortSignal,
): Promise<void> {
  const add = async (name: string, query: SQL) =>
    entries.push(await addMember(zip, name, await copyOut(connection, query), cancelled));
  await add(peopleFile, peopleOf(merchantId));
  for (const table of archivedTables) await add(fileOf(table), rowsOf(table, merchantId, secretIds !== null));
}

function end(zip: ZipFile, manifest: Manifest, signingKey: KeyObject | null): Manifest {
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  zip.addBuffer(bytes, manifestFile);
  if (signingKey) zip.addBuffer(signManifest(bytes, signingKey), signatureFile);
  zip.end();
  return manifest;
}

/** Names the merchant, takes its lock for exports until the end, and returns it. */
async function open(db: ReturnType<typeof queriesOn>, merchantId: string): Promise<Manifest['merchant']> {
  await db.run(copySettings);
  await db.run(sql`select set_config('app.merchant_id', ${merchantId}, true)`);
  const { id, name } = merchants;
  const isFree = sql<boolean>`pg_try_advisory_xact_lock(hashtextextended(${`export of ${merchantId}`}, 0))`;
  const [found] = await db.select({ id, name, isFree }).from(merchants).where(eq(id, merchantId));
  if (!found) throw new DomainError('merchant_not_found', say('merchantNotFound'));
  if (!found.isFree) throw new DomainError('export_in_progress', say('exportInProgress'));
  return { id: found.id, name: found.name };
}

async function addMember(zip: ZipFile, file: string, rows: Readable, cancelled: AbortSignal): Promise<Member> {
  const meter = addAbortSignal(cancelled, new Meter());
  pipeline(rows, meter, () => {});
  zip.addReadStream(meter, file);
  await finished(meter);
  return meter.memberOf(file);
}

const manifestOf = (
  merchant: Manifest['merchant'],
  { release, environment, secretIds, now }: ExportOptions,
  entries: Member[],
): Manifest => ({
  format: 1,
  release,
  migration: migrationOf(newestMigration()),
  writtenAt: now.toISOString(),
  environment,
  merchant,
  hasSecrets: secretIds !== null,
  secretIds: secretIds ?? [],
  members: entries,
});

const migrationOf = ({ tag, hash, at }: Manifest['migration']): Manifest['migration'] => ({ tag, hash, at });
