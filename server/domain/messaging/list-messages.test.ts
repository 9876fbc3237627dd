import { beforeEach, expect, test } from 'vitest';
import { withMerchant } from '@/db/driver';
import { ownDatabase } from '@/db/testing/database';
import { messagesExport } from '@/server/csv/messages';
import {
  createCustomer,
  createMerchant,
  type TestCustomer,
  type TestMerchant,
  testServices,
} from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import type { Services, StaffContext, StaffRole } from '../kernel/context';
import { newId } from '../kernel/ids';
import { say, verbatim } from '../kernel/say';
import { giveUpOldMessages } from './deliver';
import { queueMessage } from './queue';

const database = ownDatabase();
let merchant: TestMerchant;
let ada: TestCustomer;
let ben: TestCustomer;
const staff = {} as Record<StaffRole, StaffContext>;

beforeEach(async () => {
  merchant = await createMerchant(database.owner);
  ada = await createCustomer(database.owner, merchant.id);
  ben = await createCustomer(database.owner, merchant.id);
  for (const role of ['owner', 'manager', 'cashier'] as const) {
    staff[role] = await createStaff(database.owner, testServices(database.db), merchant.id, role);
  }
});

const send = (customer: TestCustomer, secret: string, at = new Date(), services = testServices(database.db)) =>
  withMerchant(database.db, merchant.id, (tx) =>
    queueMessage(tx, services, { recipient: { customerId: customer.id }, kind: 'pin', secret, now: at }),
  );
const list = (input: Parameters<ReturnType<typeof callAs>['messages']['list']>[0] = {}, ctx = staff.owner) =>
  callAs(ctx).messages.list(input);

test('a sandbox shows its inbox’s codes to owners and managers, and not to cashiers', async () => {
  await send(ada, '4821');
  expect((await list()).items).toMatchObject([
    {
      kind: 'pin',
      customerId: ada.id,
      customerName: 'Ada Tester',
      state: 'inbox',
      attempts: 0,
      failure: null,
      code: '4821',
    },
  ]);
  expect((await list()).items[0]?.phone).toMatch(/^\+65••••\d{4}$/);
  expect((await list({}, staff.manager)).items[0]?.code).toBe('4821');
  expect(JSON.stringify(await list({ customerId: ada.id }, staff.cashier))).not.toContain('4821');
});

test('a cashier sees messages of one customer, not the list of all', async () => {
  await send(ada, '4821');
  await send(ben, '4822');
  await expect(list({}, staff.cashier)).rejects.toMatchObject({ cause: { code: 'role_forbidden' } });
  expect((await list({ customerId: ben.id }, staff.cashier)).items.map(({ customerId }) => customerId)).toEqual([
    ben.id,
  ]);
});

test('where messages are really sent, no one sees a code', async () => {
  const services: Services = { ...testServices(database.db), messenger: 'whatsapp' };
  await send(ada, '4821', new Date(), services);
  const owner = { ...staff.owner, messenger: 'whatsapp' as const };
  expect((await list({}, owner)).items).toMatchObject([{ state: 'queued', code: null }]);
});

test('by state, customer and day; with the reason of a failure', async () => {
  const noSuchNumber = verbatim('no such number');
  await send(ada, '1111', new Date('2026-03-01T15:59:59Z'));
  await send(ben, '2222', new Date('2026-03-01T16:00:00Z'));
  await send(ada, '3333', new Date('2026-03-02T16:00:00Z'));
  await database.owner`
    update messages set state = 'failed', secret = null, attempts = 14, failure = ${JSON.stringify(noSuchNumber)}::text::jsonb
    where customer_id = ${ben.id}`;
  const codes = async (input: Parameters<typeof list>[0]) => (await list(input)).items.map(({ code }) => code);
  expect(await codes({ customerId: ada.id })).toEqual(['3333', '1111']);
  expect(await codes({ state: 'inbox', customerId: ben.id })).toEqual([]);
  expect(await codes({ until: '2026-03-01' })).toEqual(['1111']);
  expect(await codes({ from: '2026-03-02' })).toEqual(['3333', null]);
  expect((await list({ state: 'failed' })).items).toMatchObject([
    { customerId: ben.id, attempts: 14, failure: noSuchNumber },
  ]);
  const first = await list({ limit: 2 });
  expect((await list({ limit: 2, after: first.nextCursor ?? '' })).items.map(({ code }) => code)).toEqual(['1111']);
});

test('a code that has waited for more than a day is given up and erased; notices have their own limit', async () => {
  const services: Services = { ...testServices(database.db), messenger: 'whatsapp' };
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 60 * 60_000);
  await send(ada, '1111', hoursAgo(25), services);
  await send(ben, '2222', hoursAgo(23), services);
  await database.owner`insert into messages ${database.owner({
    merchant_id: merchant.id,
    id: newId(),
    customer_id: ada.id,
    kind: 'top-up-receipt',
    channel: 'whatsapp',
    subject: newId(),
    created_at: hoursAgo(25),
    due_at: hoursAgo(1),
  })}`;
  await giveUpOldMessages(services);
  const rows = await database.owner`
    select kind, state, secret is null as is_erased, failure from messages
    where merchant_id = ${merchant.id} order by created_at desc, kind`;
  expect([...rows]).toEqual([
    { kind: 'pin', state: 'queued', is_erased: false, failure: null },
    { kind: 'top-up-receipt', state: 'queued', is_erased: true, failure: null },
    { kind: 'pin', state: 'failed', is_erased: true, failure: say('givenUp') },
  ]);
});

test('another merchant’s messages are not shown', async () => {
  await send(ada, '4821');
  const other = await createMerchant(database.owner);
  const stranger = await createStaff(database.owner, testServices(database.db), other.id);
  expect((await list({ customerId: ada.id }, stranger)).items).toEqual([]);
});

test('the CSV has the filtered messages, without codes', async () => {
  await send(ada, '4821');
  await send(ben, '7305');
  const read = async (query: Record<string, string>) =>
    (await new Response(messagesExport.open(staff.owner, query)).text()).trim().split('\n');
  const [heading, ...lines] = await read({ customerId: ada.id });
  expect(heading).toContain('queuedAt,kind,customerId,customer,phone,state,attempts,failure');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(`,pin,${ada.id},Ada Tester,`);
  expect(lines[0]).not.toContain('4821');
  expect(await read({})).toHaveLength(3);
  expect(await read({ state: 'failed' })).toHaveLength(1);
});
