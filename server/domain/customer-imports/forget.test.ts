/** What files keep of a customer whom the merchant erases. */
import { expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { createCustomer, createMerchant, testServices } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import type { StaffContext } from '../kernel/context';
import { continueImport } from './run';
import { receiveFile } from './upload';

const database = sharedDatabase();

async function newStaff(): Promise<StaffContext> {
  const { id } = await createMerchant(database.owner);
  return createStaff(database.owner, testServices(database.db), id, 'owner');
}

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}
const upload = async (text: string, ctx: StaffContext) =>
  (await receiveFile(ctx, { fileName: 'members.csv', body: bytesOf(text) })).importId;

const headings = 'First name,Last name,Mobile,E-mail,Date of birth\n';
const columns = { givenName: 0, lastName: 1, phone: 2, email: 3, birthday: 4 };
const imports = (ctx: StaffContext) => callAs(ctx).customerImports;

async function run(text: string, ctx: StaffContext) {
  const importId = await upload(text, ctx);
  await imports(ctx).start({ importId, mapping: { columns, dateOrder: 'DMY' } });
  await continueImport(ctx, { merchantId: ctx.merchant.id, importId });
  return importId;
}

test('files keep nothing of an erased customer, in any notation, and everything of others', async () => {
  const [staff, other] = [await newStaff(), await newStaff()];
  const { id: customerId, phone } = await createCustomer(database.owner, staff.merchant.id);
  await database.owner`
    update customers set phone = '+6581230009', email = 'Ada.Tan@example.com' where phone = ${phone}`;
  const rows = [
    'Ada1,Tan,8123 0009,,',
    'Ada2,Tan,+65 (8123)-0009,,',
    "Ada3,Tan,'+6581230009,,",
    'Ada4,Tan,６５ ８１２３ ０００９,,',
    'Ada5,Tan,91230009 / 8123.0009,,',
    'Ada6,Tan,,ADA.TAN@EXAMPLE.COM,',
    'Ada7,Tan,,Ada <ada.tan@example.com>,31.2.1990',
    'Ada8,Tan,0065 (0)8123–0009,,',
    'Ada9,Tan,08123-0009 +6591230009,,',
    'Eve1,Lim,12,nada.tan@example.com,',
    'Eve2,Lim,12,adaxtan@example.com,',
    'Eve3,Lim,8123 00,ada.tan@example.com.sg,09',
    'Eve4,Lim,+60 18-123 0009,,soon',
    'Eve5,Lim,+852 8123 0009,,soon',
    'Eve6,Lim,6008123000912345,,',
  ];
  const others = ['Eve1', 'Eve2', 'Eve3', 'Eve4', 'Eve5', 'Eve6'];
  const file = `${headings}${rows.join('\n')}\n`;
  const tried = await run(file, staff);
  const waiting = await upload(file, staff);
  const theirs = await upload(file, other);
  const headless = await upload('Ada,Tan,8123 0009\nEve,Lim,12\n', staff);
  await callAs(staff).customers.erase({ customerId });
  const namesIn = async (importId: string) =>
    (
      await database.owner`select cells[1] as name from customer_import_rows where import_id = ${importId} order by row_number`
    ).map(({ name }) => name);
  expect(await namesIn(waiting)).toEqual(others);
  expect(await namesIn(theirs)).toHaveLength(rows.length);
  const { items } = await imports(staff).problems({ importId: tried });
  expect(items.map(({ values }) => values.givenName)).toEqual(others);
  expect((await imports(staff).get({ importId: waiting })).headings).toEqual(headings.trim().split(','));
  // The columns are kept, so that the other people in the file can still be imported.
  expect((await imports(staff).get({ importId: headless })).headings).toEqual(['', '', '']);
});

test('files of more rows than one batch are cleaned to the last', async () => {
  const staff = await newStaff();
  const { id: customerId, phone } = await createCustomer(database.owner, staff.merchant.id);
  await database.owner`update customers set phone = '+6581230019' where phone = ${phone}`;
  const importId = await upload(`${headings}Eve,Lim,12,,\n`, staff);
  const numbers = [49_999, 50_000, 50_001, 50_002, 100_000, 100_001, 100_002];
  await database.owner`
    insert into customer_import_rows (merchant_id, import_id, row_number, cells)
    select ${staff.merchant.id}, ${importId}, n, array['Ada', 'Tan', '8123 0019', '', '']
    from unnest(${numbers}::int[]) n`;
  await callAs(staff).customers.erase({ customerId });
  const left = await database.owner`select cells[1] as name from customer_import_rows where import_id = ${importId}`;
  expect(left.map(({ name }) => name)).toEqual(['Eve']);
});
