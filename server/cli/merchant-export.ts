import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { openSql, queriesOn } from '@/db/driver';
import type { Queries } from '@/db/query/queries';
import { StartupError } from '@/db/startup-error';
import { DomainError } from '@/server/domain/kernel/errors';
import { deriveKeys, secretIdsOf } from '@/server/domain/kernel/secrets';
import {
  type Archive,
  endCheckouts,
  exportMerchant,
  fingerprintOf,
  type Manifest,
  markLeft,
  publicKeyText,
  takeBack,
} from '@/server/domain/merchant-archive';
import { ensureAtHome } from '@/server/domain/merchants';
import { readArchiveKeys } from '@/server/environment/archive-keys';
import { readEnv, secretsOf } from '@/server/environment/env';
import { createServices } from '@/server/environment/services';
import { releaseVersion } from '@/server/observe/release';
import { asOwner, databaseEnvironment, ownerAddress } from './database';
import { findNamed } from './merchant';
import { readSubject } from './run';

export const usage = '<id or name> --out kopi.zip [--secrets] [--leave]';

/** Writes a merchant into a new file that only its user can read. After an error, there is no file. */
export async function main(args: string[]): Promise<void> {
  const { subject, values } = readSubject(
    'the merchant',
    { out: { type: 'string' }, secrets: { type: 'boolean' }, leave: { type: 'boolean' } },
    args,
  );
  const { out, secrets = false, leave = false } = values;
  if (!out) throw new StartupError('--out is missing: the file to write.');
  const environment = databaseEnvironment() === 'production' ? 'live' : 'sandbox';
  const secretIds = secrets ? secretIdsOf(deriveKeys(...secretsOf(readEnv(process.env), 'DATA_SECRET'))) : null;
  const { own: signingKey } = readArchiveKeys(process.env);
  const merchant = await asOwner(async (owner) => {
    const found = await findNamed(queriesOn(owner), subject);
    await ensureAtHome(queriesOn(owner), found);
    if (leave) await leaveHere(queriesOn(owner), found);
    return found;
  });
  const session = openSql(await ownerAddress());
  try {
    const archive = await exportMerchant(session, {
      merchantId: merchant.id,
      release: releaseVersion,
      environment,
      secretIds,
      signingKey,
      now: new Date(),
    }).catch(inOneLine);
    const signature = signingKey ? `signed with the key ${publicKeyText(signingKey)}` : 'not signed';
    const said = describe(await writeFile(archive, out), out);
    process.stdout.write(`${said}SHA-256 ${await fingerprintOf(out)}, ${signature}.\n`);
  } catch (error) {
    if (leave) await asOwner((owner) => takeBack(queriesOn(owner), merchant.id));
    throw error;
  }
}

async function writeFile({ file, written }: Archive, out: string): Promise<Manifest> {
  try {
    await Promise.all([pipeline(file, createWriteStream(out, { flags: 'wx', mode: 0o600 })), written]);
  } catch (error) {
    await written.catch(() => {});
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new StartupError(`${out} exists: name another file.`);
    await rm(out, { force: true });
    throw error;
  }
  return written;
}

/** Settles the merchant's payments here for the last time. */
async function leaveHere(db: Queries, merchant: { id: string; name: string }): Promise<void> {
  const services = createServices(readEnv(process.env));
  try {
    await endCheckouts(db, services, merchant).catch(inOneLine);
  } finally {
    await services.db.close();
  }
  await markLeft(db, merchant.id, new Date());
}

function inOneLine(error: unknown): never {
  throw error instanceof DomainError ? new StartupError(error.message) : error;
}

function describe({ merchant, members, hasSecrets }: Manifest, out: string): string {
  const rows = members.reduce((sum, member) => sum + member.rows, 0);
  const contents = hasSecrets
    ? 'with hashes of API keys and QR codes, and PINs'
    : 'without API keys, QR codes’ tokens and PINs';
  return `${merchant.name} is in ${out}: ${rows} rows, ${contents}.\n`;
}
