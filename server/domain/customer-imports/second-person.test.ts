import { expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { createMerchant, testServices } from '@/server/testing/factory';
import { createCampaign } from '@/server/testing/factory-ordering';
import { lettersTo } from '@/server/testing/people';
import { callAs, createStaff } from '@/server/testing/staff';
import type { StaffContext, StaffRole } from '../kernel/context';
import { newId } from '../kernel/ids';
import type { ImportMapping } from './schemas';
import { receiveFile } from './upload';

const database = sharedDatabase();
const mapping: ImportMapping = {
  columns: { givenName: 0, email: 1, principal: 2, points: 3 },
  dateOrder: 'YMD',
};

/** A merchant with an amount of 10.00, at which a point is worth 0.10. Staff have just proved who they are. */
async function newScene(settings = {}) {
  const merchant = await createMerchant(database.owner, { confirm_above: 1_000, point_value: 10, ...settings });
  let now = new Date();
  const services = testServices(database.db, { now: () => now });
  return {
    hire: (role: StaffRole, stores: string[] | null = null) =>
      createStaff(database.owner, services, merchant.id, role, stores),
    merchantId: merchant.id,
    storeId: merchant.stores[0].id,
    services,
    pass: (minutes: number) => {
      now = new Date(now.getTime() + minutes * 60_000);
    },
    now: () => now,
  };
}

/** Uploads a file whose rows have this value, as in a spreadsheet, and these points. */
async function upload(by: StaffContext, ...rows: [value: string, points: number][]): Promise<string> {
  const lines = rows.map(([value, points]) => `Ann,${newId()}@example.com,${value},${points}`);
  async function* body() {
    yield Buffer.from(['Name,E-mail,Value,Points', ...lines].join('\n'));
  }
  return (await receiveFile(by, { fileName: 'old.csv', body: body() })).importId;
}
const start = (by: StaffContext, importId: string, given = mapping) =>
  callAs(by)
    .customerImports.start({ importId, mapping: given })
    .then(
      () => 'started',
      ({ cause }) => cause.code,
    );
const at = ({ staff, ...rest }: StaffContext, confirmedAt: Date): StaffContext => ({
  ...rest,
  staff: { ...staff, confirmedAt },
});

test('opening balances up to the amount are started by who uploaded them', async () => {
  const { hire } = await newScene();
  const [manager] = [await hire('manager'), await hire('owner')];
  expect(await start(manager, await upload(manager, ['5.00', 20], ['1.00', 20]))).toBe('started');
});

test('more than a hundred vouchers need another person, too', async () => {
  const { hire, merchantId } = await newScene();
  const [manager, owner] = [await hire('manager'), await hire('owner')];
  const campaignId = await createCampaign(database.owner, merchantId);
  const [campaign] = await database.owner`select name from voucher_campaigns where id = ${campaignId}`;
  const columns = { givenName: 0, email: 1, voucher: 2, voucherCount: 3 };
  const given: ImportMapping = { columns, dateOrder: 'YMD' };
  const few = await upload(manager, [campaign?.name, 60], [campaign?.name, 40]);
  expect(await start(manager, few, given)).toBe('started');
  const many = await upload(manager, [campaign?.name, 60], [campaign?.name, 41]);
  expect(await start(manager, many, given)).toBe('second_person_required');
  expect(await start(owner, many, given)).toBe('started');
});

test('above the amount, in all rows together, another owner or general manager starts the import', async () => {
  const { hire } = await newScene();
  const [manager, owner] = [await hire('manager'), await hire('owner')];
  for (const rows of [
    [
      ['5.00', 0],
      ['5.01', 0],
    ],
    [['0.00', 101]],
  ] as [string, number][][]) {
    const importId = await upload(manager, ...rows);
    expect(await start(manager, importId)).toBe('second_person_required');
    expect((await callAs(manager).customerImports.get({ importId })).state).toBe('ready');
    expect(await start(owner, importId)).toBe('started');
  }
});

test('the other person proves who they are', async () => {
  const { hire, now } = await newScene();
  const [manager, owner] = [await hire('manager'), await hire('owner')];
  const importId = await upload(manager, ['10.01', 0]);
  const late = at(owner, new Date(now().getTime() - 16 * 60_000));
  expect(await start(late, importId)).toBe('confirmation_required');
});

test('without the columns of the balances, nobody else is needed', async () => {
  const { hire } = await newScene();
  const [manager] = [await hire('manager'), await hire('owner')];
  const importId = await upload(manager, ['100.00', 0]);
  const { givenName, email } = mapping.columns;
  expect(await start(manager, importId, { ...mapping, columns: { givenName, email } })).toBe('started');
});

test('a merchant without an amount needs nobody else', async () => {
  const { hire } = await newScene({ confirm_above: null });
  const [manager] = [await hire('manager'), await hire('owner')];
  expect(await start(manager, await upload(manager, ['100000.00', 0]))).toBe('started');
});

test('who is alone gets a mail, and starts after an hour', async () => {
  const { hire, storeId, services, pass, now } = await newScene();
  const owner = await hire('owner');
  await Promise.all([hire('cashier'), hire('manager', [storeId])]);
  const importId = await upload(owner, ['10.01', 0]);
  const [letter] = await lettersTo(services, owner.staff.email);
  expect(letter).toMatchObject({ kind: 'importUploaded', fileName: 'old.csv' });
  pass(59);
  expect(await start(at(owner, now()), importId)).toBe('second_person_required');
  pass(1);
  expect(await start(at(owner, now()), importId)).toBe('started');
});

test('who is not alone gets no mail', async () => {
  const { hire, services } = await newScene();
  const [manager] = [await hire('manager'), await hire('owner')];
  await upload(manager, ['10.01', 0]);
  expect(await lettersTo(services, manager.staff.email)).toEqual([]);
});
