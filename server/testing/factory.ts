/** Creates what tests need: a separate merchant with stores, keys, customers and packages. */

import { createPrivateKey, randomInt } from 'node:crypto';
import type { Database, Sql } from '@/db/driver';
import type { CardAccountState, EventType, FormerKeyScope, KeyScope } from '@/db/kinds/lists';
import { type ApiEnvironment, hashApiKey, newApiKey } from '@/server/domain/access/api-key';
import type { Profile } from '@/server/domain/identity/schemas';
import { type Clock, systemClock } from '@/server/domain/kernel/clock';
import type { ArchiveKeys, Services } from '@/server/domain/kernel/context';
import { newId } from '@/server/domain/kernel/ids';
import { deriveKeys, sealPin } from '@/server/domain/kernel/secrets';

/** The secret of services in tests. */
export const testSecret = 'a secret of tests, 32 characters long';
export const testKeys = deriveKeys(testSecret);
/** What signs archives in tests, as `ARCHIVE_KEY`. */
export const testArchiveKey = Buffer.concat([
  Buffer.from('302e020100300506032b657004220420', 'hex'),
  Buffer.alloc(32, 7),
]).toString('base64');
export const testArchiveKeys: ArchiveKeys = {
  own: createPrivateKey({ key: Buffer.from(testArchiveKey, 'base64'), format: 'der', type: 'pkcs8' }),
  accepted: [],
};

/** Services on a test's database, with `clock` as their time. */
export function testServices(db: Database, clock: Clock = systemClock): Services {
  return {
    db,
    clock,
    systemClock: clock,
    ...testKeys,
    environment: 'sandbox',
    publicOrigin: 'http://localhost:3000',
    cell: null,
    messenger: 'inbox',
    mailer: 'inbox',
    codeBudget: { perHour: 5_000, perDay: 50_000 },
    archiveKeys: testArchiveKeys,
    cardPayments: null,
  };
}

export interface TestStore {
  id: string;
  storeCode: string;
  /** A key bound to this store. */
  key: string;
}

export interface TestMerchant {
  id: string;
  /** A merchant-wide key. */
  key: string;
  stores: [TestStore, TestStore];
}

export interface MerchantSettings {
  name?: string;
  card_account_id?: string;
  card_account_state?: CardAccountState;
  currency?: string;
  country?: string;
  time_zone?: string;
  locale?: string;
  pin_required?: boolean;
  balance_limit?: number | null;
  earning_sale_limit?: number;
  customer_daily_points?: number;
  customer_daily_value?: number;
  key_daily_points?: number;
  key_daily_value?: number;
  key_daily_sign_ups?: number | null;
  day_starts_at?: number;
  cashier_daily_value?: number;
  cashier_daily_enrolments?: number;
  cashier_daily_vouchers?: number;
  manager_daily_value?: number;
  manager_daily_points?: number;
  manager_daily_vouchers?: number;
  manager_daily_enrolments?: number;
  earn_points?: number;
  earn_per_amount?: number;
  point_value?: number;
  min_redeem_points?: number;
  confirm_above?: number | null;
  points_expiry_months?: number | null;
  points_on_net?: boolean;
  cash_out_keeps_bonus?: boolean;
  backdating_days?: number;
  enrol_on_sale?: boolean;
  sign_up_needs_phone?: boolean;
  privacy_url?: string;
  codes_per_hour?: number;
  codes_per_day?: number;
  code_countries?: string[];
  records_events?: boolean;
  /** Null for all. */
  event_types?: EventType[] | null;
}

/** Settings of a merchant who records all events. */
export const recordingEvents = { records_events: true, event_types: null };

/** Creates a merchant in SGD with two stores, `NORTH` and `SOUTH`. */
export async function createMerchant(owner: Sql, settings: MerchantSettings = {}): Promise<TestMerchant> {
  const id = newId();
  const defaults = {
    name: 'Test Kitchen',
    currency: 'SGD',
    country: 'SG',
    time_zone: 'Asia/Singapore',
    locale: 'en-SG',
  };
  await owner`insert into merchants ${owner({ id, ...defaults, ...settings })}`;
  const stores = [await createStore(owner, id, 'NORTH'), await createStore(owner, id, 'SOUTH')] as [
    TestStore,
    TestStore,
  ];
  return { id, key: await createKey(owner, id, null), stores };
}

async function createStore(owner: Sql, merchantId: string, storeCode: string): Promise<TestStore> {
  const id = newId();
  await owner`insert into stores ${owner({ merchant_id: merchantId, id, store_code: storeCode, name: `Store ${storeCode}` })}`;
  return { id, storeCode, key: await createKey(owner, merchantId, id) };
}

interface KeySettings {
  environment?: ApiEnvironment;
  expires_at?: Date | null;
  revoked_at?: Date | null;
  /** The one scope of a key that an earlier release issued. */
  scope?: FormerKeyScope;
  scopes?: KeyScope[];
  networks?: string[];
  rate_per_second?: number;
  rate_burst?: number;
}

/** Creates a key with high limits, unless `settings` have others. */
export async function createKey(
  owner: Sql,
  merchantId: string,
  storeId: string | null,
  settings: KeySettings = {},
): Promise<string> {
  const { environment = 'sandbox' } = settings;
  const key = newApiKey(environment);
  const row = {
    merchant_id: merchantId,
    id: newId(),
    store_id: storeId,
    name: 'Test',
    hash: hashApiKey(key),
    last_four: key.slice(-4),
    rate_per_second: 50_000,
    rate_burst: 50_000,
  };
  await owner`insert into api_keys ${owner({ ...row, ...settings, environment })}`;
  return key;
}

export interface TestCustomer {
  id: string;
  phone: string;
  email: string;
}

let serial = 0;

/** Creates a customer with an empty balance and, with `pin`, a PIN. */
/** A customer as staff enter one. Give each a phone number or an e-mail address. */
export const testProfile: Profile = {
  givenName: 'Ada',
  lastName: 'Tester',
  phone: null,
  email: null,
  birthday: null,
  tags: [],
};

export async function createCustomer(
  owner: Sql,
  merchantId: string,
  { pin }: { pin?: string } = {},
): Promise<TestCustomer> {
  serial += 1;
  const id = newId();
  // From +659001 to +659899: +6599 is unassigned, and tests use no +659000.
  const phone = `+659${String(1 + (process.pid % 899)).padStart(3, '0')}${String(serial).padStart(4, '0')}`;
  // Unlike phones, unique among all test files of a database: some tests look customers up by it.
  const email = `guest${serial}.${process.hrtime.bigint()}@example.com`;
  const row = {
    merchant_id: merchantId,
    id,
    given_name: 'Ada',
    last_name: 'Tester',
    phone,
    email,
    joined_at: new Date(),
  };
  // One statement, because other tests check meanwhile that every customer has a balance.
  await owner`
    with customer as (insert into customers ${owner(row)} returning merchant_id, id)
    insert into balances (merchant_id, customer_id) select merchant_id, id from customer`;
  if (pin !== undefined) {
    const hash = sealPin(testKeys.pinKey, id, pin);
    await owner`insert into customer_pins ${owner({ merchant_id: merchantId, customer_id: id, hash })}`;
  }
  return { id, phone, email };
}

/** Blocks a customer, as staff do. */
export async function blockCustomer(owner: Sql, customerId: string): Promise<void> {
  await owner`update balances set blocked_at = now() where customer_id = ${customerId}`;
}

interface PackageSettings {
  name?: string;
  bonus_expires_in_days?: number | null;
  valid_from?: Date | null;
  valid_until?: Date | null;
  archived_at?: Date | null;
  position?: number;
}

/** Creates a package of `amount` with `bonus`, at all stores or the given ones. */
export function createFixedPackage(
  owner: Sql,
  merchantId: string,
  { amount, bonus, storeIds, ...settings }: PackageSettings & { amount: number; bonus: number; storeIds?: string[] },
): Promise<string> {
  return createPackage(owner, merchantId, { kind: 'fixed', amount, bonus_amount: bonus, ...settings }, storeIds);
}

/** Creates a package for any amount in a range, with a percentage bonus (in hundredths of a percent). */
export function createOpenPackage(
  owner: Sql,
  merchantId: string,
  {
    min,
    max,
    basisPoints,
    storeIds,
    ...settings
  }: PackageSettings & { min: number; max: number; basisPoints: number; storeIds?: string[] },
): Promise<string> {
  const row = { kind: 'open', min_amount: min, max_amount: max, bonus_basis_points: basisPoints };
  return createPackage(owner, merchantId, { ...row, ...settings }, storeIds);
}

async function createPackage(owner: Sql, merchantId: string, columns: object, storeIds?: string[]): Promise<string> {
  const id = newId();
  const row = { merchant_id: merchantId, id, name: 'Package', all_stores: storeIds === undefined, ...columns };
  await owner`insert into stored_value_packages ${owner(row)}`;
  for (const storeId of storeIds ?? []) {
    await owner`insert into stored_value_package_stores ${owner({ merchant_id: merchantId, package_id: id, store_id: storeId })}`;
  }
  return id;
}

interface TopUpRequestSettings {
  customerId: string;
  packageId: string;
  principal?: number;
  bonus?: number;
  counter_code?: string;
  state?: string;
  expires_at?: Date;
}

/** Unique within a process: open codes of a merchant must differ. */
let counterCodes = randomInt(1_000_000);
const newCounterCode = () => String(counterCodes++ % 1_000_000).padStart(6, '0');

/** Creates a dispute about a top-up, as if Stripe had told of it. Returns its id. */
export async function createDispute(owner: Sql, merchantId: string, topUpRequestId: string): Promise<string> {
  const id = newId();
  const row = {
    merchant_id: merchantId,
    id,
    service_id: `du_${id}`,
    top_up_request_id: topUpRequestId,
    amount: 10_000,
    reason: 'fraudulent',
    status: 'lost',
    opened_at: new Date(),
    closed_at: new Date(),
  };
  await owner`insert into card_disputes ${owner(row)}`;
  return id;
}

/** Starts a top-up at the counter, as a diner does, and returns its code. */
export async function createTopUpRequest(
  owner: Sql,
  merchantId: string,
  { customerId, packageId, ...settings }: TopUpRequestSettings,
): Promise<string> {
  const row = {
    merchant_id: merchantId,
    id: newId(),
    customer_id: customerId,
    request_key: newId(),
    package_id: packageId,
    principal: 10_000,
    bonus: 2_000,
    method: 'counter',
    counter_code: newCounterCode(),
    expires_at: new Date(Date.now() + 30 * 60_000),
    ...settings,
  };
  await owner`insert into top_up_requests ${owner(row)}`;
  return row.counter_code;
}
