/** Files for staff of a named store contain nothing of another store, even if the filter has the other's ids. */
import { beforeAll, describe, expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import type { StaffContext } from '@/server/domain/kernel/context';
import { createStaff } from '@/server/testing/staff';
import { exportQueries, type Query } from '@/server/testing/tenancy/export-queries';
import { idOfNobody } from '@/server/testing/tenancy/fields';
import { canariesOf, ofStore, rowsOf } from '@/server/testing/tenancy/rows';
import { createTenancyStage, type TenancyStage } from '@/server/testing/tenancy/stage';
import { exports } from './exports';

const database = ownDatabase();
let north: TenancyStage;
let south: TenancyStage;
let manager: StaffContext;
let canaries: string[];

beforeAll(async () => {
  north = await createTenancyStage(database, 'Aardvark', false);
  south = await createTenancyStage(database, 'Zanzibar', true, north);
  manager = await createStaff(database.owner, north.services, north.merchant.id, 'manager', [north.north.id]);
  const { own, others } = ofStore(await rowsOf(database.owner, north.merchant.id), south.north.id);
  canaries = canariesOf(own, others, south.word);
});

async function read(name: string, query: Query): Promise<string> {
  try {
    return await new Response(exports[name]?.open(manager, query)).text();
  } catch (error) {
    return (error as Error).message;
  }
}

const idsOfStore = ['storeId', 'search', 'uid'];
/** Lists that search all of the merchant's data. */
const searchMerchant = ['campaigns', 'customers', 'menu'];

const readable = Object.entries(exports).filter(
  ([, { roles, isOfAllStores }]) => roles.includes('manager') && !isOfAllStores,
);

test.each(readable.map(([name]) => name))('%s', async (name) => {
  const [query = {}, theirQuery = {}] = [exportQueries[name]?.(north), exportQueries[name]?.(south)];
  const file = await read(name, query);
  expect(file).toMatch(/^\ufeff?\w+,/);
  for (const [field, id] of Object.entries(theirQuery)) {
    const answer = (await read(name, { ...query, [field]: id })).replaceAll(id, '…');
    expect(
      canaries.filter((canary) => answer.includes(canary)),
      field,
    ).toEqual([]);
    if (!idsOfStore.includes(field) || (field === 'search' && searchMerchant.includes(name))) continue;
    const unknown = idOfNobody(id);
    expect(answer, field).toBe((await read(name, { ...query, [field]: unknown })).replaceAll(unknown, '…'));
  }
  expect(canaries.filter((canary) => file.includes(canary))).toEqual([]);
});

describe('files of all stores', () => {
  test('are those of procedures that are', () => {
    const those = Object.entries(exports).filter(([, { isOfAllStores }]) => isOfAllStores);
    expect(those.map(([name]) => name).sort()).toEqual(
      'api-requests audit-log customer-import-problems customer-import-rehearsal report-balances report-credit report-payouts report-vouchers staff'.split(
        ' ',
      ),
    );
  });
});
