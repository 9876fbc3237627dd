import { expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { attackEverywhere, attacksIn } from '@/e2e/fixtures/attacks';
import { createTenancyStage } from './tenancy/stage';

const database = ownDatabase();

test('every text of a merchant can hold an attack, but for those that only the service writes', async () => {
  const { merchant } = await createTenancyStage(database, 'Aardvark', true);
  await attackEverywhere(database.owner, merchant.id);
  const stores = await database.owner`select name from stores where merchant_id = ${merchant.id}`;
  expect(stores.length).toBeGreaterThan(0);
  for (const { name } of stores) expect(attacksIn(name)).toEqual(['stores.name']);
});
