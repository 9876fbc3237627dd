import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isValidPhoneNumber } from 'libphonenumber-js/max';
import { expect, test } from 'vitest';
import { migrationsFolder } from '@/db/operations/migrations-folder';
import { ownDatabase } from '@/db/testing/database';
import { createCustomer, createMerchant, testServices } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { toE164 } from './phone';

const database = ownDatabase();
const migration = readFileSync(join(migrationsFolder, '0033_old_phone_spellings.sql'), 'utf8');

/** Stores a customer's phone as it is. */
async function store(merchantId: string, phone: string) {
  const { id } = await createCustomer(database.owner, merchantId);
  await database.owner`update customers set phone = ${phone} where id = ${id}`;
  return [id, phone] as const;
}

test('phones stored in old spellings are found by each form, unless another customer has the number', async () => {
  const { owner, db } = database;
  const [merchant, other] = [await createMerchant(owner), await createMerchant(owner)];
  const stored = ['+5215512345678', '+541123456789', '+5213331234567', '+523331234567', '+525587654321', '+6591234567'];
  for (const phone of stored) await store(merchant.id, phone);
  await store(other.id, '+525512345678');
  await owner`insert into diner_sessions (merchant_id, id, token_hash, phone, verified_at, expires_at)
    values (${merchant.id}, gen_random_uuid(), 'a', '+5215512345678', now(), now())`;
  await owner`insert into messages (merchant_id, id, phone, kind, channel, state)
    select ${merchant.id}, gen_random_uuid(), phone, 'code', 'whatsapp', 'sent'
    from unnest(array['+541123456789', '+5213331234567']) phone`;
  for (let n = 0; n < 2; n++) await owner.unsafe(migration);

  const phones = async (table: string) =>
    (await owner`select phone from ${owner(table)} where merchant_id = ${merchant.id} order by phone`).map(
      ({ phone }) => phone,
    );
  expect(await phones('customers')).toEqual([
    '+5213331234567',
    '+523331234567',
    '+525512345678',
    '+525587654321',
    '+5491123456789',
    '+6591234567',
  ]);
  expect(await phones('diner_sessions')).toEqual(['+525512345678']);
  expect(await phones('messages')).toEqual(['+5213331234567', '+5491123456789']);
  const { find } = callAs(await createStaff(owner, testServices(db), merchant.id, 'owner')).customers;
  for (const form of ['+5215512345678', '+52 55 1234 5678', '+54 11 2345 6789', '+54 9 11 2345 6789']) {
    expect(await find({ phoneOrEmail: form }), form).toMatchObject({ phone: toE164(form, 'SG') });
  }
});

test('what the migration makes of an old number is what enrolment stores', async () => {
  const { owner } = database;
  const merchant = await createMerchant(owner);
  const old = new Set<string>();
  const draw = (prefix: string, digits: number) =>
    `${prefix}${randomInt(10 ** digits)}`.padEnd(prefix.length + digits, '0');
  while (old.size < 300) {
    const [mexican, argentine] = [
      draw('+52', 10),
      draw(old.size % 2 === 0 ? '+5411' : '+54', old.size % 2 === 0 ? 8 : 10),
    ];
    if (isValidPhoneNumber(mexican)) old.add(mexican.replace('+52', '+521'));
    if (isValidPhoneNumber(argentine)) old.add(argentine);
  }
  const was = new Map(await Promise.all([...old].map((phone) => store(merchant.id, phone))));
  await owner.unsafe(migration);
  for (const { id, phone } of await owner`select id, phone from customers where merchant_id = ${merchant.id}`) {
    const before = was.get(id) ?? '';
    expect(phone, before).toBe(toE164(before, 'SG', { strict: true }));
  }
});
