/** How sessions start and end, and how a phone joins the programme. */
import { beforeEach, describe, expect, test } from 'vitest';
import { ownDatabase } from '@/db/testing/database';
import { createDinerScene, reasonOf } from '@/server/testing/diners';
import { createMerchant, testProfile } from '@/server/testing/factory';
import { createCampaign } from '@/server/testing/factory-ordering';
import { callAs, createStaff } from '@/server/testing/staff';
import { forgetDiners } from './forget';

const database = ownDatabase();
let scene: Awaited<ReturnType<typeof createDinerScene>>;

beforeEach(async () => {
  scene = await createDinerScene(database);
});

const seconds = (count: number) => scene.passSeconds(count);
const minutes = (count: number) => seconds(count * 60);
const days = (count: number) => minutes(count * 24 * 60);

const ada = { givenName: 'Ada', lastName: 'Lim', email: null, birthday: null, consent: true as const };

describe('a session', () => {
  test('lasts ninety days, and not ninety-one', async () => {
    const { phone } = await scene.customerWithPhone();
    const device = await scene.comeIn(phone);
    days(90);
    seconds(-1);
    expect(await device.api.identity.me()).toMatchObject({ phone });
    days(1);
    expect(await device.api.identity.me()).toBeNull();
    await expect(device.api.account.get()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  test('without joining lasts an hour', async () => {
    const device = await scene.comeIn(scene.newNumber());
    expect(await reasonOf(device.api.account.get())).toBe('customer_not_found');
    minutes(59);
    expect(await device.api.identity.me()).toMatchObject({ isCustomer: false, givenName: null });
    minutes(1);
    await expect(device.api.identity.join(ada)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  test('is not valid with another merchant', async () => {
    const { phone } = await scene.customerWithPhone();
    const elsewhere = await createMerchant(database.owner);
    const device = await scene.comeIn(phone);
    const token = device.cookies.get(`diner-${scene.merchant.id}`) ?? '';
    const stranger = scene.open(elsewhere.id);
    stranger.cookies.set(`diner-${elsewhere.id}`, token);
    expect(await stranger.api.identity.me()).toBeNull();
    await expect(stranger.api.account.get()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await reasonOf(scene.open(crypto.randomUUID()).api.identity.me())).toBe('merchant_not_found');
  });

  test('ends on this phone by signing out, also for a copied cookie', async () => {
    const { phone } = await scene.customerWithPhone();
    const device = await scene.comeIn(phone);
    seconds(60);
    const second = await scene.comeIn(phone);
    const kept = new Map(device.cookies);
    await device.api.identity.signOut();
    expect([...device.cookies.keys()]).toEqual(['diner-device']);
    for (const [name, value] of kept) device.cookies.set(name, value);
    expect(await device.api.identity.me()).toBeNull();
    expect(await second.api.identity.me()).not.toBeNull();
  });

  test('ends when staff change the phone number, but not on other changes', async () => {
    const { id: customerId, phone } = await scene.customerWithPhone();
    const device = await scene.comeIn(phone);
    const { customers } = callAs(await createStaff(database.owner, scene.services, scene.merchant.id));
    const profile = { ...testProfile, customerId, lastName: 'Renamed', phone };
    const edit = async (edited: typeof profile) =>
      customers.edit({ ...edited, revision: (await customers.get({ customerId })).revision });
    await edit(profile);
    expect(await device.api.identity.me()).not.toBeNull();
    await edit({ ...profile, phone: scene.newNumber() });
    expect(await device.api.identity.me()).toBeNull();
  });

  test('ends when the customer is erased, and no data is left', async () => {
    const phone = scene.newNumber();
    const device = await scene.comeIn(phone);
    await device.api.identity.join(ada);
    const { customerId } = (await device.api.account.get()).customer;
    seconds(60);
    await device.api.identity.requestCode({ phone });
    const { customers } = callAs(await createStaff(database.owner, scene.services, scene.merchant.id));
    await customers.erase({ customerId });
    expect(await device.api.identity.me()).toBeNull();
    for (const table of ['diner_codes', 'diner_sessions', 'messages', 'customers', 'audit_log']) {
      const rows = await database.owner.unsafe(`select t::text as row from ${table} t`);
      expect(rows.map(({ row }) => row).join(), table).not.toContain(phone.slice(1));
    }
    // After erasure, someone who returns with the number is a new customer.
    seconds(60);
    await scene.comeIn(phone, device);
    expect(await device.api.identity.me()).toMatchObject({ isCustomer: false });
  });

  test('ends when the customer is erased, also if it began before the phone was the customer’s', async () => {
    const { id: customerId } = await scene.customerWithPhone();
    const phone = scene.newNumber();
    const device = await scene.comeIn(phone);
    await database.owner`update customers set phone = ${phone} where id = ${customerId}`;
    const { customers } = callAs(await createStaff(database.owner, scene.services, scene.merchant.id));
    await customers.erase({ customerId });
    expect(await device.api.identity.me()).toBeNull();
    const left = await database.owner`select from diner_sessions where phone = ${phone}`;
    expect(left).toHaveLength(0);
  });
});

describe('joining', () => {
  test('creates a customer, issues the sign-up voucher, and keeps the session', async () => {
    await createCampaign(database.owner, scene.merchant.id, { trigger: 'join', name: 'Welcome' });
    const phone = scene.newNumber();
    const device = await scene.comeIn(phone);
    await device.api.identity.join({ ...ada, email: 'ada.lim@example.com', birthday: '--05-17' });
    const { customer, vouchers } = await device.api.account.get();
    expect(customer).toEqual({ customerId: customer.customerId, givenName: 'Ada', phone, hasPin: false });
    expect(vouchers.map(({ name }) => name)).toEqual(['Welcome']);
    days(89);
    expect(await device.api.identity.me()).toMatchObject({ isCustomer: true });
    const { customers, auditLog } = callAs(await createStaff(database.owner, scene.services, scene.merchant.id));
    const joined = await customers.get({ customerId: customer.customerId });
    expect(joined.customer).toMatchObject({ lastName: 'Lim', email: 'ada.lim@example.com', birthday: '--05-17' });
    const [row] = (await auditLog.list({ actor: 'diner' })).items;
    expect(row).toMatchObject({
      actor: { kind: 'diner', id: null },
      action: 'customer.join',
      subject: { kind: 'customer', id: customer.customerId },
      after: { consent: true, wantsMessages: false, privacyUrl: null },
    });
  });

  test('keeps when the privacy notice and messages were agreed to; messages are off unless wanted', async () => {
    await createCampaign(database.owner, scene.merchant.id, { trigger: 'join', name: 'Welcome' });
    const staff = callAs(await createStaff(database.owner, scene.services, scene.merchant.id));
    const privacyUrl = 'https://example.com/privacy';
    await staff.settings.change({ privacyUrl });
    const join = async (wantsMessages: boolean) => {
      seconds(1);
      const device = await scene.comeIn(scene.newNumber());
      await device.api.identity.join({ ...ada, wantsMessages });
      const { customerId } = (await device.api.account.get()).customer;
      return { device, ...(await staff.customers.get({ customerId })) };
    };
    const quiet = await join(false);
    expect(quiet).toMatchObject({ wantsMessages: false, consents: { privacyAt: scene.now(), messagesAt: null } });
    expect(await join(true)).toMatchObject({
      wantsMessages: true,
      consents: { privacyAt: scene.now(), messagesAt: scene.now() },
    });
    const [joined] = (await staff.auditLog.list({ actor: 'diner' })).items;
    expect(joined?.after).toEqual({ consent: true, wantsMessages: true, privacyUrl });

    days(1);
    const { customerId } = quiet.customer;
    await quiet.device.api.account.setMessages({ wantsMessages: true });
    const { consents } = await staff.customers.get({ customerId });
    expect(consents).toEqual({ privacyAt: quiet.consents.privacyAt, messagesAt: scene.now() });
    await quiet.device.api.account.setMessages({ wantsMessages: false });
    expect(await staff.customers.get({ customerId })).toMatchObject({ wantsMessages: false, consents });
  });

  test('requires consent', async () => {
    const device = await scene.comeIn(scene.newNumber());
    const refused = device.api.identity.join({ ...ada, consent: false as never });
    await expect(refused).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await device.api.identity.me()).toMatchObject({ isCustomer: false });
  });

  test('by a double tap and on two phones at once happens once', async () => {
    await createCampaign(database.owner, scene.merchant.id, { trigger: 'join', name: 'Welcome' });
    const phone = scene.newNumber();
    const devices = [await scene.comeIn(phone)];
    seconds(60);
    devices.push(await scene.comeIn(phone));
    await Promise.all([...devices, ...devices, ...devices].map((device) => device.api.identity.join(ada)));
    const ids = await Promise.all(devices.map(async ({ api }) => (await api.account.get()).customer.customerId));
    expect(new Set(ids).size).toBe(1);
    expect(await database.owner`select from vouchers where merchant_id = ${scene.merchant.id}`).toHaveLength(1);
    expect(await database.owner`select from audit_log where merchant_id = ${scene.merchant.id}`).toHaveLength(1);
  });

  test('finds a customer whom staff enrolled meanwhile, keeps the name that they entered, and records the consent once', async () => {
    const phone = scene.newNumber();
    const device = await scene.comeIn(phone);
    const { customers, auditLog } = callAs(await createStaff(database.owner, scene.services, scene.merchant.id));
    const profile = { ...testProfile, givenName: 'Adeline', phone };
    const { customerId } = await customers.enrol(profile);
    await device.api.identity.join(ada);
    expect((await device.api.account.get()).customer).toMatchObject({ customerId, givenName: 'Adeline' });
    await device.api.identity.join(ada);
    const entries = (await auditLog.list({ actor: 'diner' })).items;
    expect(entries.map(({ action, subject, after }) => ({ action, id: subject?.id, after }))).toEqual([
      { action: 'customer.consent', id: customerId, after: { consent: true, wantsMessages: false, privacyUrl: null } },
    ]);
  });

  test('with someone else’s e-mail address is refused, and does not reveal whose it is', async () => {
    const other = await scene.customerWithPhone();
    const device = await scene.comeIn(scene.newNumber());
    const refusal = await device.api.identity
      .join({ ...ada, email: other.email.toUpperCase() })
      .catch((error) => error);
    expect(refusal.cause).toMatchObject({ code: 'customer_exists', issues: [{ path: 'email' }] });
    expect(JSON.stringify(refusal.cause.details)).not.toContain(other.id);
    await device.api.identity.join(ada);
    expect(await device.api.identity.me()).toMatchObject({ isCustomer: true });
  });

  test('can’t be used to find out which e-mail addresses are known', async () => {
    const other = await scene.customerWithPhone();
    const device = await scene.comeIn(scene.newNumber());
    const tryOut = () => reasonOf(device.api.identity.join({ ...ada, email: other.email }));
    for (let n = 0; n < 20; n++) expect(await tryOut()).toBe('customer_exists');
    expect(await tryOut()).toBe('too_many_attempts');
  });
});

test('the back office’s messages show a code to an unknown phone, with the phone masked', async () => {
  const phone = scene.newNumber();
  await scene.open().api.identity.requestCode({ phone });
  const { messages } = callAs(await createStaff(database.owner, scene.services, scene.merchant.id, 'manager'));
  const [message] = (await messages.list({})).items;
  expect(message).toMatchObject({
    kind: 'code',
    customerId: null,
    customerName: null,
    code: await scene.lastCode(phone),
  });
  expect(message?.phone).toBe(`+65••••${phone.slice(-4)}`);
});

test('only what has ended is deleted', async () => {
  const [gone, customer] = [scene.newNumber(), await scene.customerWithPhone()];
  await scene.open().api.identity.requestCode({ phone: gone });
  await scene.comeIn(scene.newNumber());
  const device = await scene.comeIn(customer.phone);
  days(31);
  await scene.open().api.identity.requestCode({ phone: scene.newNumber() });
  await forgetDiners(scene.services);
  const count = async (table: string) =>
    (await database.owner.unsafe(`select from ${table} where merchant_id = '${scene.merchant.id}'`)).length;
  expect([await count('diner_codes'), await count('diner_sessions'), await count('messages')]).toEqual([1, 1, 2]);
  expect(await device.api.identity.me()).not.toBeNull();
});
