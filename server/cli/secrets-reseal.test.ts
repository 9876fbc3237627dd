import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { commands } from '@/db/testing/commands';
import { ownDatabase } from '@/db/testing/database';
import { createCustomer, testSecret } from '../testing/factory';
import { createTables, openTable } from '../testing/tables';

const database = ownDatabase();

const replacing = 'the new secret of tests, as long as it has to be';

async function resealWith(accepted: string): Promise<{ code?: number; stdout: string; stderr: string }> {
  const settings = { APP_ENV: 'sandbox', DATABASE_URL: database.url, DATABASE_OWNER_URL: '', AUTH_SECRET: replacing };
  const env = { ...process.env, ...settings, DATA_SECRET: replacing, DATA_SECRET_ALSO_ACCEPTED: accepted };
  const command = [await commands(), 'secrets-reseal'];
  return promisify(execFile)('node', command, { env }).catch((error) => error);
}

test('prints what it did and what is left, and ends well only if nothing is', async () => {
  const tables = await createTables(database);
  await createCustomer(database.owner, tables.merchant.id, { pin: '4831' });
  await openTable(tables);
  const first = await resealWith(testSecret);
  expect([first.code, first.stderr]).toEqual([1, '']);
  expect(first.stdout).toContain('PINs: 1 resealed, 0 left\n');
  expect(first.stdout).toContain('Open QR codes: 0 resealed, 1 left\n');
  expect(first.stdout).toContain('still needs DATA_SECRET_ALSO_ACCEPTED');
  await database.owner`update qr_codes set expires_at = now()`;
  const second = await resealWith(testSecret);
  expect([second.code, second.stderr]).toEqual([undefined, '']);
  expect(second.stdout).toContain('PINs: 0 resealed, 0 left\n');
  expect(second.stdout).toMatch(/Nothing in test_\w+ at .* needs DATA_SECRET_ALSO_ACCEPTED any more\.\n$/);
});

test('does nothing without the secret that is replaced: what it can’t read is no reason to believe that all is done', async () => {
  const refused = await resealWith('');
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toMatch(/^DATA_SECRET_ALSO_ACCEPTED is missing: .*\n$/);
});
