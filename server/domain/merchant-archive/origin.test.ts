/** Whose archives are imported: this deployment's, those of deployments it knows, and files that the operator names. */
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSql } from '@/db/driver';
import { ownDatabase } from '@/db/testing/database';
import { bringIn, ownSecrets, saveArchive } from '@/server/testing/archives';
import { createMerchant, testArchiveKeys } from '@/server/testing/factory';
import type { ArchiveKeys } from '../kernel/context';
import { exportMerchant, publicKeyText } from '.';

const source = ownDatabase();
const target = ownDatabase();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'origin-'));
});
afterAll(() => rm(folder, { recursive: true }));

const newKey = () => generateKeyPairSync('ed25519').privateKey;

async function exportSignedBy(signingKey: KeyObject | null): Promise<string> {
  const { id: merchantId } = await createMerchant(source.owner);
  const archive = await exportMerchant(openSql(source.url), {
    merchantId,
    release: '1.0.0',
    environment: 'sandbox',
    secretIds: null,
    signingKey,
    now: new Date(),
  });
  return (await saveArchive(folder, archive)).path;
}

const importWith = (path: string, archiveKeys: ArchiveKeys, namedFingerprint?: string) =>
  bringIn(
    target,
    path,
    'new',
    ownSecrets,
    false,
    namedFingerprint ? { archiveKeys, namedFingerprint } : { archiveKeys },
  );

const countMerchants = async () => (await target.owner`select from merchants`).length;

test('the own key, a former one and that of another deployment that this one was told are accepted', async () => {
  const [former, other] = [newKey(), newKey()];
  const archiveKeys = { ...testArchiveKeys, accepted: [publicKeyText(former), publicKeyText(other)] };
  for (const key of [testArchiveKeys.own, former, other])
    expect(await importWith(await exportSignedBy(key), archiveKeys)).toMatchObject({ newPeople: 0 });
});

test('one without a signature, or of an unknown deployment, is imported only by its fingerprint', async () => {
  const unknown = newKey();
  const before = await countMerchants();
  const faults: [KeyObject | null, string][] = [
    [null, 'The archive has no signature: nothing was imported.'],
    [unknown, `The archive is signed with the key ${publicKeyText(unknown)}, which is not known here: nothing`],
  ];
  for (const [key, fault] of faults) {
    const path = await exportSignedBy(key);
    await expect(importWith(path, testArchiveKeys)).rejects.toThrow(fault);
    await expect(importWith(path, testArchiveKeys, '0'.repeat(64))).rejects.toThrow('is not that of this file');
    expect(await countMerchants()).toBe(before + faults.findIndex(([one]) => one === key));
    const fingerprint = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
    expect(await importWith(path, testArchiveKeys, fingerprint.toUpperCase())).toMatchObject({ newPeople: 0 });
  }
});
