import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appRole } from '@/db/driver';
import { commands } from '@/db/testing/commands';
import { ownDatabase } from '@/db/testing/database';
import { createCustomer, createMerchant } from '../testing/factory';

const database = ownDatabase();
const login = `verify_${randomBytes(6).toString('hex')}`;

beforeAll(async () => {
  await database.owner.unsafe(`create role ${login} login password '${login}' in role ${appRole}`);
});
afterAll(() => database.owner.unsafe(`drop role ${login}`));

const verify = async (url: string) =>
  promisify(execFile)('node', [await commands(), 'ledger-verify'], {
    env: { ...process.env, DATABASE_URL: url, DATABASE_OWNER_URL: '' },
  });

test('a sign-in that sees no rows is refused; one that sees them finds violations', async () => {
  const { id: merchantId } = await createMerchant(database.owner);
  await createCustomer(database.owner, merchantId);
  await database.owner`update balances set principal = 1`;
  const address = new URL(database.url);
  Object.assign(address, { username: login, password: login });
  const bound = await verify(address.href).catch((error) => error);
  expect([bound.code, bound.stdout]).toEqual([1, '']);
  expect(bound.stderr).toMatch(/^This sign-in sees no rows of merchants .*DATABASE_OWNER_URL.*\n$/);
  const owner = await verify(database.url).catch((error) => error);
  expect([owner.code, owner.stderr]).toEqual([1, '']);
  expect(owner.stdout).toContain(`Violated: a balance is the sum of its entries: merchant ${merchantId}`);
});
