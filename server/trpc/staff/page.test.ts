/** Each list of the back office with an invented cursor, and with days that do not exist. */
import { TRPCError } from '@trpc/server';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import type { StaffContext } from '@/server/domain/kernel/context';
import { newId } from '@/server/domain/kernel/ids';
import { createMerchant, testServices } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { listProcedures } from '../procedures';
import { staffRouter } from './router';

type Shape = Record<string, { safeParse(value: unknown): { success: boolean } }>;

const shapes = listProcedures(staffRouter).map(
  ({ path, inputs }) => [path, (inputs[0]?.shape ?? {}) as Shape] as const,
);
const withField = (field: string) => shapes.filter(([, shape]) => field in shape);

const database = sharedDatabase();
let staff: StaffContext;
let inputs: Record<string, object>;

beforeAll(async () => {
  const { id, stores } = await createMerchant(database.owner);
  staff = await createStaff(database.owner, testServices(database.db), id);
  const call = callAs(staff);
  const customerId = newId();
  const [storeId, importId] = [stores[0].id, newId()];
  const { apiKeyId } = await call.apiKeys.create({ name: 'Till', storeId });
  const { endpointId } = await call.webhooks.create({ url: 'https://example.com', description: '', eventTypes: null });
  await database.owner`
    insert into customer_imports (merchant_id, id, user_id, file_name, state, headings, updated_at)
    values (${id}, ${importId}, ${staff.staff.userId}, 'a.csv', 'ready', '{}', now())`;
  inputs = {
    'customers.lots': { customerId },
    'customers.vouchers': { customerId, isPast: false },
    'customers.ledger': { customerId },
    'customers.sales': { customerId },
    'customerImports.problems': { importId },
    'apiKeys.requests': { apiKeyId },
    'bills.list': { storeId, state: 'open' },
    'vouchers.list': { campaignId: newId() },
    'vouchers.countSegment': {},
    'orders.done': { storeId },
    'reports.balances': { day: '2026-03-10' },
    'reports.voids': { from: '2026-03-10', to: '2026-03-10' },
    'qrCodes.list': { storeId },
    'webhooks.deliveries': { endpointId },
  };
});

async function codeOf(path: string, input: object): Promise<string> {
  const caller = callAs(staff) as unknown as Record<string, unknown>;
  const procedure = path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], caller);
  try {
    await (procedure as (input: unknown) => Promise<unknown>)({ ...inputs[path], ...input });
    return 'OK';
  } catch (error) {
    return error instanceof TRPCError ? error.code : String(error);
  }
}

const cursorOf = (...key: string[]) => Buffer.from(JSON.stringify(key)).toString('base64url');
const foreign = [
  ['x'],
  ['1e9'],
  ['99999999999'],
  ['\0'],
  ['\0', newId()],
  ['Ada', 'x'],
  ['2026-11-20T00:00:00.000Z', 'x'],
];
/** A list by name accepts these cursors, too. */
const foreignUnlessNames = ['x', '2026-02-30T00:00:00.000Z', '0000-01-01T00:00:00.000Z', '+010000-01-01T00:00:00.000Z'];

describe.each(withField('before'))('%s', (path) => {
  test('returns the first page', async () => {
    expect(await codeOf(path, {})).toBe('OK');
  });

  test.each(foreign)('refuses a cursor of %j %j', async (...key) => {
    expect(await codeOf(path, { after: cursorOf(...key) })).toBe('BAD_REQUEST');
  });

  test.each(foreignUnlessNames)('refuses a cursor of %j and an id, where it is not by name', async (first) => {
    const isByName = path === 'menu.searchItems';
    expect(await codeOf(path, { before: cursorOf(first, newId()) })).toBe(isByName ? 'OK' : 'BAD_REQUEST');
  });
});

test('rejects a name cursor with a NUL', async () => {
  const byName = (first: string) => codeOf('customers.list', { sort: 'name', after: cursorOf(first, newId()) });
  expect([await byName('Ada'), await byName('\0')]).toEqual(['OK', 'BAD_REQUEST']);
});

describe.each(withField('from'))('%s', (path, shape) => {
  test.each(['0000-01-01', '1969-12-31', '1999-12-31', '9999-12-31'])('refuses the day %s', async (day) => {
    const range = 'until' in shape ? { until: day } : { to: day };
    expect(await codeOf(path, { from: day, ...range })).toBe('BAD_REQUEST');
  });
});
