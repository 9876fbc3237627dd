import { createHash } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { processLog } from '@/server/observe/log';
import { reasonOf } from '@/server/testing/diners';
import { createCustomer, createMerchant, testServices } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import type { StaffRole } from '../kernel/context';

const database = ownDatabase();

test('a cashier opens and searches three hundred customers an hour, also at once, and those opened before go on', async () => {
  let now = new Date('2026-11-20T10:00:00Z');
  const lines: unknown[] = [];
  vi.spyOn(processLog(), 'info').mockImplementation((line) => void lines.push(line));
  const { owner, db } = database;
  const services = testServices(db, { now: () => now });
  const merchant = await createMerchant(owner);
  const customers = await Promise.all(Array.from({ length: 8 }, () => createCustomer(owner, merchant.id)));
  const [first = { id: '', phone: '' }, ...others] = customers;
  const comeIn = async (role: StaffRole) => {
    const ctx = await createStaff(owner, services, merchant.id, role);
    const { get, find } = callAs(ctx).customers;
    return {
      userId: ctx.staff.userId,
      open: (customerId: string) => reasonOf(get({ customerId })),
      find: (phoneOrEmail: string) => reasonOf(find({ phoneOrEmail })),
    };
  };
  const [curious, other, manager] = [await comeIn('cashier'), await comeIn('cashier'), await comeIn('manager')];
  expect([await curious.find(first.phone), await curious.open(first.id)]).toEqual(['done', 'done']);
  const key = createHash('sha256').update(`look-ups of ${curious.userId} at ${merchant.id}`).digest('base64url');
  expect(await owner`update throttles set attempts = 296 where key = ${key} and attempts = 2`).toMatchObject({
    count: 1,
  });

  const opened = await Promise.all(others.map(({ id }) => curious.open(id)));
  expect(opened.sort()).toEqual([...Array(4).fill('done'), ...Array(3).fill('too_many_attempts')]);
  const again = await Promise.all(others.map(({ id }) => curious.open(id)));
  expect(again.sort()).toEqual(opened);
  // A number without a customer counts, too. An incomplete number does not.
  for (const phone of [first.phone, '+6590000000']) expect(await curious.find(phone)).toBe('too_many_attempts');
  expect(await curious.find('9000')).toBe('done');
  expect(await curious.open(first.id)).toBe('done');
  for (const { id, phone } of others) {
    expect([await other.open(id), await manager.open(id), await manager.find(phone)]).toEqual(['done', 'done', 'done']);
  }
  // The operator is told of the first and the tenth refusal.
  const facts = {
    security: 'customers.look_ups_limited',
    userId: curious.userId,
    merchantId: merchant.id,
    maximum: 300,
  };
  expect(lines).toEqual([{ ...facts, attempts: 1 }]);
  for (let at = 0; at < 2; at++) await curious.find(first.phone);
  expect(lines).toEqual([1, 10].map((attempts) => ({ ...facts, attempts })));
  now = new Date(now.getTime() + 60 * 60_000);
  expect(await curious.find(first.phone)).toBe('done');
});
