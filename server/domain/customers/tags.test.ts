/** The list of customers by tag, and the tags that customers have. */
import { expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { createCustomer, createMerchant, testServices } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';

const database = sharedDatabase();

async function newScene() {
  const { owner, db } = database;
  const { id: merchantId } = await createMerchant(owner);
  const { customers } = callAs(await createStaff(owner, testServices(db), merchantId, 'owner'));
  const enrol = () => createCustomer(owner, merchantId);
  const people = [await enrol(), await enrol(), await enrol()] as const;
  const edit = async (at: 0 | 1 | 2, profile: { givenName: string; tags: string[] }) => {
    const { id: customerId, phone, email } = people[at];
    const { revision } = await customers.get({ customerId });
    return customers.edit({ customerId, revision, lastName: '', phone, email, birthday: null, ...profile });
  };
  const found = async (filter: { tag?: string; search?: string }) =>
    (await customers.list({ ...filter, sort: 'name', descending: false })).items.map(({ name }) => name);
  return { customers, enrol, people, edit, found };
}

test('customers are found by a tag, in any letter case, with a search or without, and never by a name', async () => {
  const { customers, edit, found } = await newScene();
  await edit(0, { givenName: 'Ada', tags: ['VIP', 'no peanuts'] });
  await edit(1, { givenName: 'Bea', tags: ['vip', '常客'] });
  await edit(2, { givenName: 'VIP', tags: [] });
  expect(await customers.tags()).toEqual(['no peanuts', expect.stringMatching(/^vip$/i), '常客']);
  expect(await found({ tag: 'Vip' })).toEqual(['Ada', 'Bea']);
  expect(await found({ tag: 'vi' })).toEqual([]);
  expect(await found({ tag: '常客' })).toEqual(['Bea']);
  expect(await found({ tag: 'vip', search: 'bea' })).toEqual(['Bea']);
  expect(await found({ search: 'vip' })).toEqual(['VIP']);
  expect(await (await newScene()).customers.tags()).toEqual([]);
});

test('tags follow each change: edits, merges, their undoing and erasure', async () => {
  const { customers, edit, found, people } = await newScene();
  const [keptId, mergedId] = [people[0].id, people[1].id];
  await edit(0, { givenName: 'Ada', tags: ['VIP'] });
  await edit(1, { givenName: 'Bea', tags: ['Regular'] });
  await edit(0, { givenName: 'Ada', tags: ['Staff'] });
  expect(await customers.tags()).toEqual(['Regular', 'Staff']);
  await customers.merge({ keptId, mergedId });
  expect(await found({ tag: 'regular' })).toContain('Ada');
  await customers.undoMerge({ mergedId });
  expect(await found({ tag: 'regular' })).toEqual(['Bea']);
  await customers.erase({ customerId: mergedId });
  expect(await found({ tag: 'regular' })).toEqual([]);
  expect(await customers.tags()).toEqual(['Staff']);
});

test('the pages of a tag have each of its customers once', async () => {
  const { customers, enrol } = await newScene();
  const all = await Promise.all(Array.from({ length: 45 }, enrol));
  const ids = all.map(({ id }) => id).sort();
  await database.owner`
    update customers set given_name = given_name, tags = '{Many}' where id in ${database.owner(ids)}`;
  for (const sort of ['joined', 'name'] as const) {
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const page = await customers.list({ tag: 'many', sort, after, limit: 20 });
      seen.push(...page.items.map(({ customerId }) => customerId));
      after = page.nextCursor ?? undefined;
    } while (after);
    expect(seen.sort()).toEqual(ids);
  }
});
