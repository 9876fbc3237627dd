import { beforeEach, describe, expect, test } from 'vitest';
import { withMerchant } from '@/db/driver';
import { merchants } from '@/db/schema';
import { ownDatabase } from '@/db/testing/database';
import {
  createCustomer,
  createFixedPackage,
  createMerchant,
  type TestMerchant,
  testServices,
} from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { authenticateKey } from '../access/authenticate';
import type { StaffContext } from '../kernel/context';
import { changeSettings } from './settings';

const database = ownDatabase();
let merchant: TestMerchant;
let owner: StaffContext;

beforeEach(async () => {
  merchant = await createMerchant(database.owner);
  owner = await createStaff(database.owner, testServices(database.db), merchant.id);
});

const auditRows = () => database.owner`
  select action, before, after, actor_id from audit_log where merchant_id = ${merchant.id} order by created_at, id`;
/** The settings that the next POS request reads. */
const settingsOfPos = async () => (await authenticateKey(testServices(database.db), merchant.key)).merchant;

test('everyone sees the settings, and whether they may change them', async () => {
  const cashier = await createStaff(database.owner, testServices(database.db), merchant.id, 'cashier');
  const { canEdit, ...seen } = await callAs(cashier).settings.get();
  expect(canEdit).toBe(false);
  expect(await callAs(owner).settings.get()).toEqual({ ...seen, canEdit: true });
  expect(seen).toMatchObject({ name: 'Test Kitchen', currency: 'SGD', balanceLimit: null, messenger: 'inbox' });
});

test('a change applies from the next POS request on, affects only the given fields, and is audited', async () => {
  const before = await settingsOfPos();
  await callAs(owner).settings.change({ name: 'Kopi & Kaya', balanceLimit: 50_000, backdatingDays: 7 });
  expect(await settingsOfPos()).toEqual({
    ...before,
    name: 'Kopi & Kaya',
    balanceLimit: 50_000,
    backdatingDays: 7,
  });
  const [row, ...others] = await auditRows();
  expect(others).toEqual([]);
  expect({ ...row, before: JSON.parse(row?.before), after: JSON.parse(row?.after) }).toEqual({
    action: 'settings.change',
    actor_id: owner.staff.userId,
    before: { name: 'Test Kitchen', balanceLimit: null, backdatingDays: 31 },
    after: { name: 'Kopi & Kaya', balanceLimit: 50_000, backdatingDays: 7 },
  });
});

test('a change of nothing is not audited', async () => {
  await callAs(owner).settings.change({ name: 'Test Kitchen', earnPoints: 1 });
  await callAs(owner).settings.change({});
  expect(await auditRows()).toHaveLength(0);
});

test('owners who save at once: each change is audited with the value it replaced', async () => {
  const names = Array.from({ length: 8 }, (_, n) => `Kitchen ${n}`);
  await Promise.all(names.map((name) => callAs(owner).settings.change({ name })));
  const changes = (await auditRows()).map(({ before, after }) => [JSON.parse(before).name, JSON.parse(after).name]);
  const successor = new Map(changes as [string, string][]);
  const chain: string[] = [];
  for (let name = successor.get('Test Kitchen'); name !== undefined; name = successor.get(name)) chain.push(name);
  expect([...chain].sort()).toEqual(names);
  expect((await settingsOfPos()).name).toBe(chain.at(-1));
});

test.each([
  ['name', '   '],
  ['currency', 'XXQ'],
  ['currency', 'sgd'],
  ['country', 'ZZ'],
  ['country', 'AQ'],
  ['timeZone', 'Asia/Atlantis'],
  ['timeZone', '+08:00'],
  // To JavaScript this is Eastern Australia. PostgreSQL does not know it, or takes it for India or Israel.
  ['timeZone', 'AET'],
  ['timeZone', 'IST'],
  ['timeZone', 'US/Pacific-New'],
  ['locale', 'no such language'],
  ['backdatingDays', 0],
  ['backdatingDays', 32],
  ['balanceLimit', 0],
  ['earnPerAmount', 0],
  ['earnPoints', 1.5],
  ['pointValue', -1],
  ['minRedeemPoints', 0],
  ['pointsExpiryMonths', 121],
  ['privacyUrl', 'http://example.com'],
  ['privacyUrl', 'javascript:alert(1)'],
  ['privacyUrl', 'example.com/privacy'],
  ['taxBasisPoints', 0],
  ['taxBasisPoints', 10_001],
  ['serviceBasisPoints', 2.5],
  ['taxName', 'x'.repeat(31)],
  ['accentColour', 'red'],
  ['accentColour', '#fff'],
  ['accentColour', '#12345g'],
  ['welcome', 'x'.repeat(121)],
])('%s can’t be %j', async (field, value) => {
  await expect(callAs(owner).settings.change({ [field]: value })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect(await auditRows()).toHaveLength(0);
});

test.each([{ timeZone: 'UTC' }, { timeZone: 'Asia/Kolkata' }, { locale: 'zh-Hans-SG' }, { country: 'JP' }])(
  '%j is accepted',
  async (change) => {
    await callAs(owner).settings.change(change);
    expect(await settingsOfPos()).toMatchObject(change);
  },
);

test('what only people read is changed, emptied and audited like the rest', async () => {
  const business = {
    privacyUrl: 'https://example.com/privacy',
    taxName: 'GST',
    taxBasisPoints: 900,
    taxIncluded: false,
    serviceBasisPoints: 1000,
    serviceIncluded: false,
    accentColour: '#c8102e',
    welcome: 'Selamat datang',
  };
  await callAs(owner).settings.change(business);
  expect(await callAs(owner).settings.get()).toMatchObject(business);
  await callAs(owner).settings.change(business);
  const empty = { privacyUrl: ' ', taxName: '', taxBasisPoints: null, accentColour: null, welcome: ' ' };
  await callAs(owner).settings.change(empty);
  const emptied = { privacyUrl: null, taxName: null, taxBasisPoints: null, accentColour: null, welcome: null };
  expect(await callAs(owner).settings.get()).toMatchObject({ ...business, ...emptied });
  const changes = (await auditRows()).map(({ after }) => JSON.parse(after));
  // Prices that included no service charge were not described as including one.
  const { serviceIncluded, ...first } = business;
  expect(changes).toEqual([first, emptied]);
});

describe('the currency', () => {
  const changeCurrency = () => callAs(owner).settings.change({ currency: 'JPY' });
  const holders: [string, () => Promise<unknown>][] = [
    ['stored-value packages', () => createFixedPackage(database.owner, merchant.id, { amount: 100, bonus: 0 })],
    [
      'menu items',
      async () => {
        const row = { merchant_id: merchant.id, id: merchant.id, name: 'Drinks', position: 0 };
        await database.owner`insert into menu_categories ${database.owner(row)}`;
        const item = { ...row, category_id: merchant.id, plu: '1', name: 'Kopi', price: 180 };
        await database.owner`insert into menu_items ${database.owner(item)}`;
      },
    ],
    [
      'transactions',
      () => database.owner`
        insert into transactions (merchant_id, uid, type, status, amount, occurred_at, created_at)
        values (${merchant.id}, ${merchant.id}, 'adjustment', 'completed', 1, now(), now())`,
    ],
  ];

  test('can change while no amounts exist in it', async () => {
    expect((await callAs(owner).settings.get()).currencyIsFixed).toBe(false);
    await changeCurrency();
    expect((await settingsOfPos()).currency).toBe('JPY');
  });

  test.each(holders)('is fixed by %s, and says so; all else can change', async (words, hold) => {
    await hold();
    expect((await callAs(owner).settings.get()).currencyIsFixed).toBe(true);
    const refusal = { cause: { code: 'currency_fixed', issues: [{ path: 'currency' }] } };
    await expect(changeCurrency()).rejects.toMatchObject(refusal);
    await expect(changeCurrency()).rejects.toThrow(`there are ${words} in it`);
    await callAs(owner).settings.change({ currency: 'SGD', name: 'Renamed' });
    expect(await settingsOfPos()).toMatchObject({ currency: 'SGD', name: 'Renamed' });
  });

  test('waits for an amount that is being written, and is then fixed', async () => {
    let change: Promise<unknown> | undefined;
    await database.owner.begin(async (tx) => {
      const row = { merchant_id: merchant.id, id: merchant.id, name: 'P', kind: 'fixed', amount: 1, bonus_amount: 0 };
      await tx`insert into stored_value_packages ${tx(row)}`;
      change = changeCurrency();
      change.catch(() => {});
      await expect
        .poll(
          () =>
            database.owner`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        )
        .toHaveLength(1);
    });
    await expect(change).rejects.toMatchObject({ cause: { code: 'currency_fixed' } });
  });
});

test('a setting does not wait for what is being written', async () => {
  await database.owner.begin(async (tx) => {
    await tx`select from merchants where id = ${merchant.id} for key share`;
    await callAs(owner).settings.setPinRequired({ pinRequired: true });
    await callAs(owner).settings.change({ enrolOnSale: true });
  });
  expect(await settingsOfPos()).toMatchObject({ pinRequired: true, enrolOnSale: true });
});

describe('customers without a PIN', () => {
  test('are counted', async () => {
    expect(await callAs(owner).settings.pinCoverage()).toEqual({ customers: 0, withoutPin: 0, isSample: false });
    await createCustomer(database.owner, merchant.id, { pin: '4821' });
    await createCustomer(database.owner, merchant.id);
    await createCustomer(database.owner, merchant.id);
    expect(await callAs(owner).settings.pinCoverage()).toEqual({ customers: 3, withoutPin: 2, isSample: false });
  });

  test('are counted among the newest 2,000 if there are more', async () => {
    await database.owner`
      insert into customers (merchant_id, id, given_name, last_name, joined_at)
      select ${merchant.id}, gen_random_uuid(), 'Ada', 'Tan', now() from generate_series(1, 2010)`;
    expect(await callAs(owner).settings.pinCoverage()).toEqual({ customers: 2000, withoutPin: 2000, isSample: true });
  });
});

test('another merchant’s settings can’t be reached', async () => {
  const other = await createMerchant(database.owner, { name: 'Elsewhere' });
  await changeSettings(owner, { name: 'Mine' });
  const [row] = await withMerchant(database.db, other.id, ({ db }) =>
    db.select({ name: merchants.name }).from(merchants),
  );
  expect(row?.name).toBe('Elsewhere');
});
