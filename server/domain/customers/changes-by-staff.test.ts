/** Changes of a customer by staff: enrol, edit, reset the PIN, block, erase. */
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import {
  createCustomer,
  createFixedPackage,
  createMerchant,
  type TestMerchant,
  testProfile,
  testServices,
} from '@/server/testing/factory';
import { createCampaign, createVoucher } from '@/server/testing/factory-ordering';
import { callAs, createStaff } from '@/server/testing/staff';
import { authenticateKey } from '../access/authenticate';
import type { PosContext, StaffContext } from '../kernel/context';
import { newId } from '../kernel/ids';
import { verifyLedger } from '../ledger/verify';
import { redeemPoints } from '../points/redeem';
import { redeemStoredValue } from '../stored-value/redeem';
import { topUp } from '../top-ups/top-up';
import { redeemVoucher } from '../vouchers/redeem';
import { balancesByPhone } from './balances';
import { enrolCustomer } from './enrol';
import { forgetPin } from './forget-pin';

const database = sharedDatabase();
let merchant: TestMerchant;
let owner: StaffContext;
let elsewhere: StaffContext;
let pos: PosContext;
let packageId: string;

beforeAll(async () => {
  const services = testServices(database.db);
  merchant = await createMerchant(database.owner);
  owner = await createStaff(database.owner, services, merchant.id, 'owner');
  const other = await createMerchant(database.owner);
  elsewhere = await createStaff(database.owner, services, other.id, 'owner');
  pos = await authenticateKey(services, merchant.stores[0].key);
  packageId = await createFixedPackage(database.owner, merchant.id, { amount: 1_000, bonus: 200 });
});

const customers = (staff = owner) => callAs(staff).customers;
const profile = { ...testProfile, givenName: 'Mei Ling', lastName: 'Tan', phone: '', email: '', birthday: '' };
let serial = 0;
const newPhone = () => `8123${String(++serial).padStart(4, '0')}`;
/** Creates a customer with a possible phone number. */
async function newCustomer() {
  const customer = await createCustomer(database.owner, merchant.id, { pin: '4831' });
  const phone = `+65${newPhone()}`;
  await database.owner`update customers set phone = ${phone} where id = ${customer.id}`;
  return { ...customer, phone };
}
const audited = async (customerId: string) => {
  const rows = await database.owner`
    select action, before, after from audit_log where subject_id = ${customerId} order by id`;
  return rows.map(({ action, before, after }) => [action, before, after]);
};
/** Returns the fields that an error names. */
const fieldsOf = async (work: Promise<unknown>): Promise<string[]> => {
  const { cause } = (await work.catch((error) => error)) as { cause: { issues: { path: string | string[] }[] } };
  return cause.issues.map(({ path }) => String(path));
};

describe('enrolling by staff', () => {
  test('creates the customer, and issues the sign-up voucher', async () => {
    const campaignId = await createCampaign(database.owner, merchant.id, { trigger: 'join', name: 'Welcome' });
    const phone = newPhone();
    const { customerId } = await customers().enrol({ ...profile, phone, birthday: '1990-02-28' });
    const { customer, vouchers, storedValue } = await customers().get({ customerId });
    expect(customer).toMatchObject({
      givenName: 'Mei Ling',
      phone: `+65${phone}`,
      email: null,
      birthday: '1990-02-28',
    });
    expect(storedValue.balance).toBe(0);
    expect(vouchers.map(({ name }) => name)).toEqual(['Welcome']);
    expect(await audited(customerId)).toEqual([['customer.enrol', null, null]]);
    await database.owner`update voucher_campaigns set archived_at = now() where id = ${campaignId}`;
  });

  test('accepts a single name', async () => {
    const { customerId } = await customers().enrol({ ...profile, lastName: '', email: `${newId()}@example.com` });
    expect((await customers().get({ customerId })).customer.lastName).toBe('');
  });

  test('names the field that another customer has, and that customer', async () => {
    const { id, phone, email } = await newCustomer();
    const byPhone = customers().enrol({ ...profile, phone });
    await expect(byPhone).rejects.toMatchObject({ code: 'CONFLICT', cause: { details: { customerId: id } } });
    expect(await fieldsOf(byPhone)).toEqual(['phone']);
    const byEmail = customers().enrol({ ...profile, phone: newPhone(), email: email.toUpperCase() });
    expect(await fieldsOf(byEmail)).toEqual(['email']);
  });

  test.each([
    [{}, 'phone'],
    [{ phone: '12' }, 'phone'],
    [{ email: 'nobody' }, 'email'],
    [{ email: 'a@example.com', givenName: ' ' }, 'givenName'],
    [{ email: 'a@example.com', birthday: '2999-01-01' }, 'birthday'],
    [{ email: 'a@example.com', birthday: '1899-12-31' }, 'birthday'],
  ])('refuses %j at its field', async (given, field) => {
    expect(await fieldsOf(customers().enrol({ ...profile, ...given }))).toEqual([field]);
  });

  test('at the same moment creates one customer', async () => {
    const phone = newPhone();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => customers().enrol({ ...profile, phone })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('editing', () => {
  const revisionOf = async (customerId: string) => (await customers().get({ customerId })).revision;

  test('changes the given fields; the audit names the fields, not the values', async () => {
    const { id: customerId, email } = await newCustomer();
    const phone = newPhone();
    const edited = { ...testProfile, customerId, givenName: 'Grace', phone, email };
    await customers().edit({ ...edited, revision: await revisionOf(customerId) });
    expect((await customers().get({ customerId })).customer).toMatchObject({
      givenName: 'Grace',
      phone: `+65${phone}`,
    });
    await customers().edit({ ...edited, revision: await revisionOf(customerId) });
    expect(await audited(customerId)).toEqual([['customer.edit', null, '{"fields":["givenName","phone"]}']]);
  });

  test('names the field that belongs to another customer', async () => {
    const [one, other] = [await newCustomer(), await newCustomer()];
    const revision = await revisionOf(one.id);
    const same = { ...testProfile, customerId: one.id, revision };
    const edit = (fields: { phone: string; email: string }) => fieldsOf(customers().edit({ ...same, ...fields }));
    expect(await edit({ phone: other.phone, email: one.email })).toEqual(['phone']);
    expect(await edit({ phone: one.phone, email: other.email.toUpperCase() })).toEqual(['email']);
  });
});

describe('a new PIN', () => {
  test('goes only to the phone, not into a response, and shares the POS’s hourly limit', async () => {
    const { id: customerId, phone } = await newCustomer();
    const masked = `${phone.slice(0, 3)}••••${phone.slice(-4)}`;
    expect(await customers().resetPin({ customerId })).toEqual({ phone: masked, lockedUntil: null });
    await forgetPin({ ...pos }, { customer: { customerId } });
    await customers().resetPin({ customerId });
    const refused = customers().resetPin({ customerId });
    await expect(refused).rejects.toMatchObject({ cause: { code: 'pin_reset_too_often' } });
    expect((await audited(customerId)).map(([action]) => action)).toEqual([
      'customer.resetPin',
      'customer.forgetPin',
      'customer.resetPin',
    ]);
  });

  test('reports until when it is locked all the same, after many wrong tries', async () => {
    const { id: customerId } = await newCustomer();
    await customers().resetPin({ customerId });
    const lockedUntil = new Date(Date.now() + 3_600_000);
    await database.owner`
      update customer_pins set lockouts = 4, locked_until = ${lockedUntil} where customer_id = ${customerId}`;
    expect((await customers().resetPin({ customerId })).lockedUntil).toEqual(lockedUntil);
    await database.owner`update customer_pins set locked_until = now() where customer_id = ${customerId}`;
    expect((await customers().resetPin({ customerId })).lockedUntil).toBeNull();
  });
});

describe('blocking', () => {
  const transaction = (customerId: string) => ({ transactionId: newId(), customer: { customerId } });

  test('refuses top-ups and redemptions until unblocked; balances can be read, and voids work', async () => {
    const { id: customerId, phone } = await newCustomer();
    const campaignId = await createCampaign(database.owner, merchant.id);
    const voucherCode = await createVoucher(database.owner, merchant.id, { campaignId, customerId });
    await topUp({ ...pos }, { ...transaction(customerId), packageId });
    await customers().block({ customerId, reason: 'Lost phone' });
    await customers().block({ customerId, reason: 'Again' });
    const bill = { amount: 2_000 };
    const refused = [
      () => topUp({ ...pos }, { ...transaction(customerId), packageId }),
      () => redeemStoredValue({ ...pos }, { ...transaction(customerId), amount: 10 }),
      () => redeemStoredValue({ ...pos }, { ...transaction(customerId), amount: 9_999_999 }),
      () => redeemPoints({ ...pos }, { ...transaction(customerId), points: 10 }),
      () => redeemVoucher({ ...pos }, { ...transaction(customerId), voucherCode, bill }),
      () => redeemVoucher({ ...pos }, { ...transaction(customerId), voucherCode, bill, dryRun: true }),
    ];
    for (const one of refused) await expect(one()).rejects.toMatchObject({ code: 'customer_blocked' });
    expect((await balancesByPhone({ ...pos }, { phone })).storedValue.balance).toBe(1_200);
    expect((await customers().get({ customerId })).blocked).toMatchObject({ reason: 'Lost phone', by: 'Test owner' });

    await customers().unblock({ customerId });
    await redeemStoredValue({ ...pos }, { ...transaction(customerId), amount: 10 });
    expect((await customers().get({ customerId })).blocked).toBeNull();
    expect(await audited(customerId)).toEqual([
      ['customer.block', null, '{"reason":"Lost phone"}'],
      ['customer.unblock', null, null],
    ]);
  });

  test('at the same moment as a redemption: one comes first, and nothing is spent after the block', async () => {
    const { id: customerId } = await newCustomer();
    await topUp({ ...pos }, { ...transaction(customerId), packageId });
    const [, ...redeemed] = await Promise.allSettled([
      customers().block({ customerId, reason: 'Fraud' }),
      ...Array.from({ length: 4 }, () => redeemStoredValue({ ...pos }, { ...transaction(customerId), amount: 10 })),
    ]);
    const before = redeemed.filter(({ status }) => status === 'fulfilled').length;
    expect((await customers().get({ customerId })).storedValue.balance).toBe(1_200 - 10 * before);
  });
});

describe('erasing', () => {
  test('keeps the ledger, without the customer’s identity', async () => {
    const { id: customerId, phone, email } = await newCustomer();
    const campaignId = await createCampaign(database.owner, merchant.id);
    await createVoucher(database.owner, merchant.id, { campaignId, customerId });
    await topUp({ ...pos }, { transactionId: newId(), customer: { customerId }, packageId });
    await customers().resetPin({ customerId });
    const secrets = [phone, phone.slice(-7), email, 'Tester'];
    await customers().erase({ customerId });

    const { customer, erasedAt, storedValue, vouchers } = await customers().get({ customerId });
    const nobody = {
      givenName: 'Erased customer',
      lastName: '',
      phone: null,
      email: null,
      birthday: null,
      hasPin: false,
    };
    expect(customer).toMatchObject(nobody);
    expect(erasedAt).not.toBeNull();
    expect([storedValue.balance, vouchers]).toEqual([1_200, []]);
    const ofCustomers = ['customers', 'customer_terms', 'customer_pins', 'messages'];
    for (const table of [...ofCustomers, 'vouchers', 'audit_log', 'transactions']) {
      const rows = await database.owner`select r::text as text from ${database.owner(table)} r`;
      const about = rows.map(({ text }) => text).filter((text) => text.includes(customerId));
      for (const secret of secrets) expect(about.join('\n'), table).not.toContain(secret);
    }
    const messages = await database.owner`select state, secret from messages where customer_id = ${customerId}`;
    expect([...messages]).toEqual([{ state: 'failed', secret: null }]);
    const found = await customers().list({ search: 'erased' });
    expect(found.items).toEqual([]);
    expect(await verifyLedger(database.owner)).toEqual([]);
  });

  test('is permanent: nothing changes any more, and tills find no one', async () => {
    const { id: customerId, phone } = await newCustomer();
    await customers().erase({ customerId });
    const attempts = [
      () => customers().erase({ customerId }),
      () => customers().edit({ customerId, ...profile, phone, revision: '' }),
      () => customers().block({ customerId, reason: 'x' }),
      () => customers().unblock({ customerId }),
      () => customers().resetPin({ customerId }),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const sent = redeemStoredValue({ ...pos }, { transactionId: newId(), customer: { customerId }, amount: 1 });
    await expect(sent).rejects.toMatchObject({ code: 'customer_not_found' });
    await enrolCustomer({ ...pos }, { givenName: 'Come', lastName: 'Back', phone });
  });

  test('during a redemption: it came before, or it is refused', async () => {
    const { id: customerId } = await newCustomer();
    await topUp({ ...pos }, { transactionId: newId(), customer: { customerId }, packageId });
    const redeem = () =>
      redeemStoredValue({ ...pos }, { transactionId: newId(), customer: { customerId }, amount: 10 });
    const [erased] = await Promise.allSettled([customers().erase({ customerId }), redeem(), redeem()]);
    expect(erased.status).toBe('fulfilled');
    await expect(redeem()).rejects.toMatchObject({ code: 'customer_not_found' });
    expect(await verifyLedger(database.owner)).toEqual([]);
  });
});

test('another merchant’s customer is not found', async () => {
  const { id: customerId } = await newCustomer();
  const theirs = customers(elsewhere);
  const attempts = [
    () => theirs.get({ customerId }),
    () => theirs.edit({ customerId, ...profile, phone: newPhone(), revision: '' }),
    () => theirs.block({ customerId, reason: 'x' }),
    () => theirs.resetPin({ customerId }),
    () => theirs.erase({ customerId }),
  ];
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  for (const list of [theirs.ledger, theirs.lots, theirs.sales]) expect((await list({ customerId })).items).toEqual([]);
  expect((await theirs.vouchers({ customerId, isPast: false })).items).toEqual([]);
});
