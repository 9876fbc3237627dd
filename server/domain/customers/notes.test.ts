import { beforeAll, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { createCustomer, createMerchant, type TestMerchant, testServices } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import type { StaffContext, StaffRole } from '../kernel/context';

const database = sharedDatabase();
let merchant: TestMerchant;
const staff = {} as Record<StaffRole | 'other', StaffContext>;

beforeAll(async () => {
  const { owner, db } = database;
  merchant = await createMerchant(owner);
  for (const role of ['owner', 'manager', 'cashier'] as const) {
    staff[role] = await createStaff(owner, testServices(db), merchant.id, role);
  }
  staff.other = await createStaff(owner, testServices(db), merchant.id, 'cashier');
});

const newCustomer = async () => (await createCustomer(database.owner, merchant.id)).id;
const add = async (customerId: string, text: string, by: keyof typeof staff = 'cashier') => {
  await callAs(staff[by]).customers.addNote({ customerId, text });
  return (await callAs(staff[by]).customers.notes({ customerId }))[0]?.noteId as string;
};
const notesOf = (customerId: string, by: keyof typeof staff = 'cashier') =>
  callAs(staff[by]).customers.notes({ customerId });

test('notes have author and time, newest first, and each is added once', async () => {
  const customerId = await newCustomer();
  await add(customerId, 'Window table\nNo onions');
  const note = { customerId, text: 'Allergic to nuts' };
  await Promise.all([1, 2, 3].map(() => callAs(staff.manager).customers.addNote(note)));
  expect(await notesOf(customerId)).toMatchObject([
    { text: 'Allergic to nuts', by: 'Test manager', editedAt: null, canChange: false },
    { text: 'Window table\nNo onions', by: 'Test cashier', canChange: true },
  ]);
});

test('the author and managers edit and remove a note, other cashiers do not', async () => {
  const customerId = await newCustomer();
  const noteId = await add(customerId, 'Window table');
  const edit = (by: keyof typeof staff, text: string) => callAs(staff[by]).customers.editNote({ noteId, text });
  await expect(edit('other', 'Mine')).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await edit('cashier', 'Corner table');
  await edit('manager', 'Quiet table');
  expect(await notesOf(customerId, 'other')).toMatchObject([{ text: 'Quiet table', canChange: false }]);
  expect((await notesOf(customerId))[0]?.editedAt).toBeInstanceOf(Date);
  await expect(callAs(staff.other).customers.removeNote({ noteId })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await callAs(staff.manager).customers.removeNote({ noteId });
  expect(await notesOf(customerId)).toEqual([]);
  await expect(edit('cashier', 'Back')).rejects.toThrow('This note has been removed');
});

test('are audited without their text, and erased with the customer', async () => {
  const customerId = await newCustomer();
  await add(customerId, 'Window table');
  await callAs(staff.owner).customers.erase({ customerId });
  const [{ count } = { count: 1 }] = await database.owner`
    select count(*)::int from customer_notes where customer_id = ${customerId}`;
  expect(count).toBe(0);
  const lines = await database.owner`
    select action, before, after from audit_log where subject_id = ${customerId} order by id`;
  expect(lines.map(({ action }) => action)).toEqual(['customer.addNote', 'customer.erase']);
  expect(JSON.stringify(lines)).not.toContain('Window');
  await expect(add(customerId, 'After all')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('a customer has up to 100', async () => {
  const customerId = await newCustomer();
  const { userId } = staff.cashier.staff;
  await database.owner`
    insert into customer_notes (merchant_id, id, customer_id, user_id, text)
    select ${merchant.id}, gen_random_uuid(), ${customerId}, ${userId}, 'Note ' || n from generate_series(1, 100) n`;
  await expect(add(customerId, 'One more')).rejects.toThrow('up to 100 notes');
});
