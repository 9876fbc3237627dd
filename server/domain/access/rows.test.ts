/** A request reads a key's and session's columns from the tables: a new column needs no new SQL function. */
import { pgTable, text } from 'drizzle-orm/pg-core';
import { beforeAll, expect, test } from 'vitest';
import { fieldsOf } from '@/db/query/expressions';
import { apiKeyByHash, sessionByToken } from '@/db/query/functions';
import { ownDatabase } from '@/db/testing/database';
import { createMerchant, type TestMerchant, testServices } from '@/server/testing/factory';
import { createPerson, sessionOf } from '@/server/testing/people';
import { hashToken } from '../kernel/secrets';
import { hashApiKey } from './api-key';
import { authenticateKey } from './authenticate';
import { findStaff } from './sessions';

const database = ownDatabase();
let merchant: TestMerchant;
let token: string;

beforeAll(async () => {
  const { owner, db } = database;
  merchant = await createMerchant(owner);
  const { userId } = await createPerson(owner);
  await owner`insert into memberships ${owner({ merchant_id: merchant.id, user_id: userId, role: 'manager' })}`;
  token = await sessionOf(testServices(db), userId);
});

const key = () => merchant.stores[0].key;
const ofKey = () => apiKeyByHash({ keyHash: hashApiKey(key()) });
const ofSession = () =>
  sessionByToken({ hash: hashToken(token), at: new Date(), activeSince: new Date(0), seenBefore: null });

test.each([
  ['merchants', () => [ofKey(), ofKey().merchant] as const],
  ['merchants', () => [ofSession(), ofSession().merchant] as const],
  ['api_keys', () => [ofKey(), ofKey().key] as const],
  ['stores', () => [ofKey(), ofKey().store] as const],
  ['memberships', () => [ofSession(), ofSession().membership] as const],
])('a new column of %s', async (table, find) => {
  const services = testServices(database.db);
  const use = () => Promise.all([authenticateKey(services, key()), findStaff(services, token)]);
  // Prepares the plans before the column is added.
  await use();
  await database.owner.unsafe(`alter table ${table} add column if not exists greeting text default 'Hello'`);
  const [{ $rows }, row] = find();
  const columns = pgTable(table, { greeting: text('greeting') });
  const found = await database.db.pool.select(fieldsOf(row, { greeting: columns.greeting })).from($rows);
  expect(found).toEqual([{ greeting: 'Hello' }]);
  const [context, staff] = await use();
  expect([context.merchant.id, staff?.memberships[0]?.merchantId]).toEqual([merchant.id, merchant.id]);
});
