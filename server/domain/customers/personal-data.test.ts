/** Each use of a customer's personal data. A new column of the profile needs two values here. */
import { parse } from 'csv-parse';
import { expect, test } from 'vitest';
import { profileColumns } from '@/db/kinds/lists';
import { customers as table } from '@/db/schema';
import { sharedDatabase } from '@/db/testing/database';
import { customersExport } from '@/server/csv/customers';
import { createMerchant, testServices } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { authenticateKey } from '../access/authenticate';
import { continueImport } from '../customer-imports/run';
import { receiveFile } from '../customer-imports/upload';
import type { Profile } from '../identity/schemas';
import type { StaffContext } from '../kernel/context';
import { enrolCustomer } from './enrol';

const ada = {
  givenName: 'Ada',
  lastName: 'Tan',
  phone: '+6581230001',
  email: 'ada@example.com',
  birthday: '1990-02-28',
  tags: ['Regular', 'no peanuts'],
} satisfies Profile;
const grace = {
  givenName: 'Grace',
  lastName: 'Lim',
  phone: '+6581230002',
  email: 'grace@example.com',
  birthday: '--02-29',
  tags: ['VIP'],
} satisfies Profile;

const database = sharedDatabase();

/** A merchant without customers. */
async function createScene() {
  const services = testServices(database.db);
  const merchant = await createMerchant(database.owner);
  const staff = await createStaff(database.owner, services, merchant.id);
  const { customers, settings } = callAs(staff);
  await settings.change({ recordsEvents: true });
  const profileOf = async (customerId: string) => {
    const { customer } = await customers.get({ customerId });
    return Object.fromEntries(profileColumns.map((column) => [column, customer[column]]));
  };
  return { merchant, staff, customers, profileOf, till: () => authenticateKey(services, merchant.stores[0].key) };
}

const rowOf = async (customerId: string) => {
  const [row] = await database.owner`select * from customers where id = ${customerId}`;
  return row ?? {};
};

test('a till enrols a customer with all of it, and its answer and event have all of it', async () => {
  const { till, profileOf } = await createScene();
  const enrolled = await enrolCustomer(await till(), ada);
  expect(enrolled).toMatchObject(ada);
  expect(await profileOf(enrolled.customerId)).toEqual(ada);
  const events = await database.owner`select type, data from events where customer_id = ${enrolled.customerId}`;
  expect([...events]).toMatchObject([{ type: 'customer.enrolled', data: ada }]);
});

test.each(profileColumns)('staff enrol a customer with %s, and edit it alone', async (column) => {
  const { customers, profileOf } = await createScene();
  const { customerId } = await customers.enrol(ada);
  const { revision } = await customers.get({ customerId });
  const edited = { ...ada, [column]: grace[column] };
  expect((await customers.edit({ customerId, ...edited, revision })).revision).not.toBe(revision);
  expect(await profileOf(customerId)).toEqual(edited);
  await expect(customers.edit({ customerId, ...grace, revision })).rejects.toMatchObject({
    cause: { code: 'edited_meanwhile' },
  });
  const [entry] = await database.owner`
    select after from audit_log where subject_id = ${customerId} and action = 'customer.edit'`;
  expect(JSON.parse(entry?.after)).toEqual({ fields: [column] });
});

test('a merge fills in what the kept customer lacks', async () => {
  const { customers, profileOf } = await createScene();
  const [kept, merged] = [await customers.enrol(ada), await customers.enrol(grace)];
  const lacking = profileColumns.filter((column) => column !== 'givenName' && column !== 'lastName');
  const toDefaults = lacking.map((column) => `${table[column].name} = default`).join(', ');
  await database.owner.unsafe(`update customers set ${toDefaults} where id = '${kept.customerId}'`);
  const ids = { keptId: kept.customerId, mergedId: merged.customerId };
  const expected = { ...grace, givenName: ada.givenName, lastName: ada.lastName };
  expect((await customers.mergePreview(ids)).after).toMatchObject(expected);
  await customers.merge(ids);
  expect(await profileOf(kept.customerId)).toEqual(expected);
});

test.each([
  ['--02-28', '1990-02-28', '1990-02-28'],
  ['1990-02-28', '--02-28', '1990-02-28'],
  ['--02-28', '1990-02-27', '--02-28'],
])(
  'a merge keeps the birthday %s, and takes the year of %s only for the same day',
  async (birthday, other, expected) => {
    const { customers } = await createScene();
    const kept = await customers.enrol({ ...ada, birthday });
    const merged = await customers.enrol({ ...grace, birthday: other });
    await customers.merge({ keptId: kept.customerId, mergedId: merged.customerId });
    expect((await customers.get(kept)).customer.birthday).toBe(expected);
  },
);

/** Reads the CSV file of the customers. */
async function exportCustomers(staff: StaffContext): Promise<Record<string, string>[]> {
  return parse(await new Response(customersExport.open(staff, {})).text(), { columns: true, bom: true }).toArray();
}

test.each(['1990-02-28', '--02-29'])(
  'an import reads all of it, and an export, imported elsewhere, gives the same customer: born %s',
  async (birthday) => {
    const columns = Object.fromEntries(profileColumns.map((column, at) => [column, at]));
    const importFile = async ({ staff }: { staff: StaffContext }, cells: string[]) => {
      const body = new Response(`${profileColumns.join(',')}\n${cells.map((cell) => `"${cell}"`).join(',')}\n`);
      const { importId } = await receiveFile(staff, {
        fileName: 'customers.csv',
        body: body.body as unknown as AsyncIterable<Uint8Array>,
      });
      await callAs(staff).customerImports.start({ importId, mapping: { columns, dateOrder: 'YMD' } });
      await continueImport(staff, { merchantId: staff.merchant.id, importId });
      const [customer] = (await callAs(staff).customers.list({})).items;
      return customer;
    };
    const [here, elsewhere] = [await createScene(), await createScene()];
    const someone = { ...ada, birthday };
    expect(
      await importFile(
        here,
        profileColumns.map((column) => String(someone[column])),
      ),
    ).toMatchObject(someone);
    const [exported] = await exportCustomers(here.staff);
    expect(
      await importFile(
        elsewhere,
        profileColumns.map((column) => exported?.[column] ?? ''),
      ),
    ).toMatchObject(someone);
  },
);

test('erasure leaves only columns that say nothing about the person', async () => {
  const { customers } = await createScene();
  const { customerId } = await customers.enrol(ada);
  await database.owner`
    update customers set language = 'zh', privacy_accepted_at = now(), messages_opted_in_at = now()
    where id = ${customerId}`;
  const before = await rowOf(customerId);
  await customers.erase({ customerId });
  const after = await rowOf(customerId);
  const same = (column: string) => JSON.stringify(before[column]) === JSON.stringify(after[column]);
  expect(Object.keys(before).filter(same).sort()).toEqual([
    'created_at',
    'id',
    'joined_at',
    'merchant_id',
    'merge_undo',
    'merged_into',
    'messages_opted_in_at',
    'messages_opted_out_at',
    'privacy_accepted_at',
    'sign_up_vouchers_due',
  ]);
  expect(JSON.stringify(after)).not.toMatch(/Ada|Tan|8123|example|1990|peanuts/);
});
