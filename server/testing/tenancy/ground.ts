import type { TestDatabase } from '@/db/testing/database';
import { authenticateKey } from '@/server/domain/access/authenticate';
import type { StaffContext, StaffRole } from '@/server/domain/kernel/context';
import { createMerchant, recordingEvents, type TestMerchant, testServices } from '../factory';
import { callAs, createStaff } from '../staff';

export type TenancyGround = Awaited<ReturnType<typeof openGround>>;

let serial = 0;

const otherWayRound = ({ stores: [first, second], ...merchant }: TestMerchant): TestMerchant => ({
  ...merchant,
  stores: [{ ...second }, first],
});

/**
 * Creates a merchant that has only stores and staff, and works at its first store. Its texts all contain `word`. With
 * `merchantOf`, it is the same merchant as that ground, at its other store.
 */
export async function openGround({ owner, db }: TestDatabase, word: string, merchantOf?: { merchant: TestMerchant }) {
  const services = testServices(db);
  const merchant = merchantOf
    ? otherWayRound(merchantOf.merchant)
    : await createMerchant(owner, {
        ...recordingEvents,
        name: `${word} Kitchen`,
        key_daily_points: 1_000_000,
        cashier_daily_vouchers: 1_000,
      });
  for (const store of merchantOf ? merchant.stores.slice(0, 1) : merchant.stores) {
    store.storeCode = `${word}-${store.storeCode}`;
    const name = `At ${store.storeCode}`;
    await owner`update stores set store_code = ${store.storeCode}, name = ${name} where id = ${store.id}`;
  }
  const roles: StaffRole[] = ['owner', 'manager', 'cashier'];
  const people = await Promise.all(roles.map((role) => createStaff(owner, services, merchant.id, role)));
  await createStaff(owner, services, merchant.id, 'cashier', [merchant.stores[0].id]);
  const staff = Object.fromEntries(roles.map((role, at) => [role, people[at]])) as Record<StaffRole, StaffContext>;
  const [north] = merchant.stores;
  const till = await authenticateKey(services, north.key);
  const call = callAs(staff.owner);
  /** A text that occurs nowhere else. */
  const unique = () => `${word}-${String(++serial).padStart(5, '0')}`;
  /** A number that a network could have. */
  const newNumber = () => `+659${1_500_000 + ++serial}`;
  return { owner, db, word, services, merchant, north, staff, till, call, unique, newNumber };
}
