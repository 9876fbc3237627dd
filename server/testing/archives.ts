/** Archives of merchants in tests, as files in a separate folder. */

import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openSql } from '@/db/driver';
import type { TestDatabase } from '@/db/testing/database';
import type { ArchiveKeys } from '@/server/domain/kernel/context';
import { secretIdsOf } from '@/server/domain/kernel/secrets';
import { type Archive, exportMerchant, importMerchant, openArchive } from '@/server/domain/merchant-archive';
import { countAttempt } from './attempts';
import { testArchiveKeys, testKeys } from './factory';

export const ownSecrets = secretIdsOf(testKeys);

/** Starts an export as the tables' owner, by default with secrets. */
export const startExport = (database: TestDatabase, merchantId: string, secretIds: string[] | null = ownSecrets) =>
  exportMerchant(openSql(database.url), {
    merchantId,
    release: '1.0.0',
    environment: 'sandbox',
    secretIds,
    signingKey: testArchiveKeys.own,
    now: new Date(),
  });

let files = 0;
/** Writes an archive into a file. Returns its path, and its manifest. */
export async function saveArchive(folder: string, { file, written }: Archive) {
  const path = join(folder, `${++files}.zip`);
  await Promise.all([pipeline(file, createWriteStream(path)), written]);
  return { path, manifest: await written };
}

/** Imports a file. By default, its people count as those who are known here. */
export async function bringIn(
  database: TestDatabase,
  path: string,
  keys: 'carry' | 'new' = 'carry',
  secretIds = ownSecrets,
  arePeopleSame = true,
  origin: { archiveKeys?: ArchiveKeys; namedFingerprint?: string } = {},
) {
  const archive = await openArchive(path);
  try {
    const imported = await importMerchant(database.owner, archive, {
      environment: 'sandbox',
      cell: null,
      secretIds,
      keys,
      arePeopleSame,
      archiveKeys: origin.archiveKeys ?? testArchiveKeys,
      namedFingerprint: origin.namedFingerprint,
      now: new Date(),
    });
    countAttempt(false);
    return imported;
  } catch (error) {
    countAttempt(true);
    throw error;
  } finally {
    archive.close();
  }
}
