import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import { importProblemsExport, importRehearsalExport } from '@/server/csv/customers';
import { createCustomer, createMerchant, testServices } from '@/server/testing/factory';
import { createCampaign } from '@/server/testing/factory-ordering';
import { abandonJob } from '@/server/testing/queue';
import { callAs, createStaff } from '@/server/testing/staff';
import { textRow, workbookFile } from '@/server/testing/workbook';
import type { StaffContext } from '../kernel/context';
import { newId } from '../kernel/ids';
import { verifyLedger } from '../ledger/verify';
import { continueImport, forgetOldImports, importBatch, requeueStalledImports } from './run';
import type { ImportMapping } from './schemas';
import { receiveFile } from './upload';

const database = sharedDatabase();
let staff: StaffContext;
let now = new Date('2026-06-01T08:00:00Z');

beforeAll(async () => {
  staff = await newStaff();
});
afterAll(async () => {
  expect(await verifyLedger(database.owner)).toEqual([]);
});

async function newStaff(): Promise<StaffContext> {
  const { id } = await createMerchant(database.owner);
  return createStaff(database.owner, testServices(database.db, { now: () => now }), id, 'manager');
}

async function* chunks(text: string | Buffer, size = 7_000): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const upload = async (text: string | Buffer, ctx = staff, size?: number) =>
  (await receiveFile(ctx, { fileName: 'members.csv', body: chunks(text, size) })).importId;

const columns = { givenName: 0, lastName: 1, phone: 2, email: 3, birthday: 4 };
const mapping: ImportMapping = { columns, dateOrder: 'DMY' };
const headings = 'First name,Last name,Mobile,E-mail,Date of birth\n';
const imports = (ctx = staff) => callAs(ctx).customerImports;

async function run(text: string, ctx = staff) {
  const importId = await upload(text, ctx);
  await imports(ctx).start({ importId, mapping });
  await continueImport(ctx, { merchantId: ctx.merchant.id, importId });
  return importId;
}
const customersOf = (ctx: StaffContext) => database.owner`
  select given_name, last_name, phone, email, birthday::text as birthday from customers
  where merchant_id = ${ctx.merchant.id} and last_name <> 'Tester' order by given_name`;
const people = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => `Given${from + n},Last,,person${from + n}@example.com,\n`).join('');

describe('a file', () => {
  test.each([
    ['commas', 'Name,Phone\nAda,81230001\n'],
    ['semicolons, quotes and a byte-order mark', '\ufeff"Name";"Phone"\r\n"Tan; Ada";81230001\r\n'],
    ['tabs', 'Name\tPhone\nAda\t81230001\n'],
    ['empty lines', 'Name,Phone\n\nAda,81230001\n,\n\n'],
  ])('of %s is read', async (_, text) => {
    for (const size of [1, 1_000]) {
      const importId = await upload(text, staff, size);
      const { headings, rowCount, guessed, sample } = await imports().get({ importId });
      expect(headings).toEqual(['Name', 'Phone']);
      expect([rowCount, guessed?.columns]).toEqual([1, { givenName: 0, phone: 1 }]);
      expect(sample[0]?.[1]).toBe('81230001');
    }
  });

  test.each([
    ['is not text', Buffer.from([0x50, 0x4b, 1, 4, 0, 0, 0xff, 0xfe]), 'is no table'],
    ['has an unmatched quotation mark', 'Name,Phone\n"Ada,1\nBob,2\n', 'cannot be read as CSV at line'],
    ['has headings only', headings, 'has no rows'],
    ['is empty', '', 'has no rows'],
    ['has an endless row', `Name\n${'x'.repeat(60_000)}\n`, 'cannot be read as CSV at line'],
  ])('that %s is refused, and nothing is stored', async (_, text, message) => {
    const staff = await newStaff();
    await expect(upload(text, staff)).rejects.toThrow(message);
    const [left] = await database.owner`
      select (select count(*)::int from customer_import_rows where merchant_id = ${staff.merchant.id}) as rows,
        (select count(*)::int from customer_imports where merchant_id = ${staff.merchant.id}) as files`;
    expect(left).toEqual({ rows: 0, files: 0 });
  });

  test('whose encoding is not certain is imported once it was chosen', async () => {
    const bytes = Buffer.from('Name,Phone\nJos\xe9,81230009\n', 'latin1');
    const fileMapping = { columns: { givenName: 0, phone: 1 }, dateOrder: 'DMY' as const };
    const importId = await upload(bytes);
    const { source, sample } = await imports().get({ importId });
    expect([source, sample]).toEqual([
      { kind: 'text', encoding: 'windows-1252', isCertain: false },
      [['José', '81230009']],
    ]);
    await expect(imports().start({ importId, mapping: fileMapping })).rejects.toThrow('encoding has to be chosen');
    const choice = { encoding: 'windows-1252' as const };
    const chosen = await receiveFile(staff, { fileName: 'members.csv', body: chunks(bytes), choice });
    await imports().start({ importId: chosen.importId, mapping: fileMapping });
  });

  test('of Excel has typed cells: phones, dates, and amounts that no notation has to explain', async () => {
    const staff = await newStaff();
    const row = (number: number, cells: string) => `<row r="${number}">${cells}</row>`;
    const sheet = [
      textRow(1, 'First name', 'Mobile', 'Birthday', 'Stored value'),
      row(
        2,
        '<c t="inlineStr"><is><t>Ada</t></is></c><c><v>81230001</v></c><c s="1"><v>31213</v></c><c><v>1.25</v></c>',
      ),
      row(4, '<c t="inlineStr"><is><t>Bob</t></is></c><c><v>6581230002</v></c><c/><c><v>1250</v></c>'),
      row(5, '<c t="inlineStr"><is><t>Cy</t></is></c><c><v>81230003</v></c><c/><c t="e"><v>#N/A</v></c>'),
    ];
    const bytes = await workbookFile({ sheets: { Members: sheet.join('') }, formats: [14] });
    const { importId } = await receiveFile(staff, { fileName: 'members.xlsx', body: chunks(bytes) });
    const { source, guessed, rowCount } = await imports(staff).get({ importId });
    expect([source, rowCount]).toEqual([{ kind: 'workbook', sheets: ['Members'], sheet: 0 }, 3]);
    const mapping = guessed as ImportMapping;
    const { rows, unclear } = await imports(staff).preview({ importId, mapping });
    expect([rows[0]?.values.principal, unclear]).toEqual(['1.25', []]);
    await imports(staff).start({ importId, mapping });
    await continueImport(staff, { merchantId: staff.merchant.id, importId });
    const done = await imports(staff).get({ importId });
    expect(done.openings?.imported.principal).toBe(125 + 125_000);
    const { items } = await imports(staff).problems({ importId });
    expect(items.map(({ rowNumber, problems }) => [rowNumber, problems])).toEqual([[5, ['amountInvalid']]]);
    expect((await customersOf(staff)).map((one) => [one.given_name, one.phone, one.birthday])).toEqual([
      ['Ada', '+6581230001', '1985-06-15'],
      ['Bob', '+6581230002', null],
    ]);
  });

  test('may have a surrogate pair where a cell is truncated', async () => {
    const importId = await upload(
      `Name,Phone,Note\nAda,81230001,${'x'.repeat(499)}😀\nBob,81230002,${'😀'.repeat(251)}\n`,
    );
    const { sample } = await imports().get({ importId });
    expect(sample.map((cells) => cells[2])).toEqual(['x'.repeat(499), '😀'.repeat(250)]);
  });

  test('that is too large is refused during the upload', async () => {
    let isReadToItsEnd = false;
    async function* large() {
      yield Buffer.from('Name,Phone\nAda,81230001\n');
      yield Buffer.alloc(50 * 1024 * 1024, 'x');
      isReadToItsEnd = true;
    }
    const body = large();
    await expect(receiveFile(staff, { fileName: 'big.csv', body })).rejects.toThrow('is larger than 50 MB');
    expect(isReadToItsEnd).toBe(false);
  });
});

test('a rehearsal says of every row what the import would do, and writes nothing', async () => {
  const staff = await newStaff();
  const ada = await createCustomer(database.owner, staff.merchant.id);
  const rows = `Bob,Lee,81230011,,\nCy,Ng,12,,\nBob,Lee,81230011,,\nAda,,${ada.phone},,\n`;
  const importId = await upload(headings + rows, staff);
  const query = { importId, language: 'en', mapping: JSON.stringify(mapping) };
  const before = await customersOf(staff);
  const text = await new Response(importRehearsalExport.open(staff, query)).text();
  expect(
    text
      .split('\n')
      .slice(1, 5)
      .map((line) => line.split(',').slice(0, 4)),
  ).toEqual([
    ['2', 'New customer', '', 'Bob'],
    ['3', 'Skipped', 'Not a valid phone number', 'Cy'],
    ['4', 'Skipped', 'More than once in the file', 'Bob'],
    ['5', 'Skipped', 'Already exists', 'Ada'],
  ]);
  expect(await customersOf(staff)).toEqual(before);
  await expect(async () => importRehearsalExport.open(staff, { ...query, mapping: '{' })).rejects.toThrow();
});

test('the result of the first rows is previewed', async () => {
  const importId = await upload(`${headings}Ada,Tan,81230001,,31/12/1990\n,Tan,12,nobody,12/31/1990\nBob,,,,\n`);
  const { rows } = await imports().preview({ importId, mapping });
  expect(rows.map(({ rowNumber, problems }) => [rowNumber, problems])).toEqual([
    [2, []],
    [3, ['phoneInvalid', 'emailInvalid', 'birthdayIgnored']],
    [4, ['contactMissing']],
  ]);
  expect(rows[0]?.values).toEqual({
    givenName: 'Ada',
    lastName: 'Tan',
    phone: '81230001',
    email: '',
    birthday: '31/12/1990',
  });
});

test('enrols the valid rows, and reports the others with row numbers and reasons', async () => {
  const staff = await newStaff();
  await createCampaign(database.owner, staff.merchant.id, { trigger: 'join' });
  const { phone } = await createCustomer(database.owner, staff.merchant.id);
  await database.owner`update customers set phone = '+6581230009' where phone = ${phone}`;
  const file = [
    headings.trim(),
    'Ada,Tan,8123 0001,ada@example.com,31/12/1990',
    'Bob,,,BOB@example.com,',
    'Known,Before,+65 8123 0009,,',
    'Ada,Again,+6581230001,,',
    'Bob,Again,,bob@example.com,',
    "'=Excel,Minus,'+6581230002,,1.2.1980",
    'Drop,Plus,8613800138000,,',
    'Bad,Phone,123,,',
  ].join('\n');
  const importId = await run(file, staff);
  const { state, rowCount, doneCount, enrolledCount, problemCount } = await imports(staff).get({ importId });
  expect([state, rowCount, doneCount, enrolledCount, problemCount]).toEqual(['finished', 8, 8, 4, 4]);
  expect(await database.owner`select mapping from customer_imports where id = ${importId}`).toEqual([
    { mapping: { ...mapping, decimalMarks: {} } },
  ]);
  expect([...(await customersOf(staff))]).toEqual([
    { given_name: '=Excel', last_name: 'Minus', phone: '+6581230002', email: null, birthday: '1980-02-01' },
    { given_name: 'Ada', last_name: 'Tan', phone: '+6581230001', email: 'ada@example.com', birthday: '1990-12-31' },
    { given_name: 'Bob', last_name: '', phone: null, email: 'BOB@example.com', birthday: null },
    { given_name: 'Drop', last_name: 'Plus', phone: '+8613800138000', email: null, birthday: null },
  ]);
  // Sign-up vouchers are only for people who sign up themselves.
  expect(await database.owner`select from vouchers where merchant_id = ${staff.merchant.id}`).toHaveLength(0);
  const problems = (await imports(staff).problems({ importId })).items.map((row) => [row.rowNumber, row.problems]);
  expect(problems).toEqual([
    [4, ['alreadyCustomer']],
    [5, ['twiceInFile']],
    [6, ['twiceInFile']],
    [9, ['phoneInvalid']],
  ]);
  expect((await callAs(staff).customers.list({ search: 'drop plus' })).items).toHaveLength(1);

  const report = await new Response(
    importProblemsExport.open(staff, { importId, language: 'zh', merchant: 'x' }),
  ).text();
  expect(report.split('\n').slice(0, 3)).toEqual([
    'row,problem,givenName,lastName,phone,email,birthday,tags,principal,bonus,points,expiresOn,bonusExpiresOn,voucher,voucherCount,voucherExpiresOn',
    "4,已存在,Known,Before,'+65 8123 0009,,,,,,,,,,,",
    "5,在文件中重复,Ada,Again,'+6581230001,,,,,,,,,,,",
  ]);
  // The report can be imported as a file, fixed or not.
  const again = await upload(report, staff);
  expect((await imports(staff).get({ importId: again })).guessed?.columns).toEqual({
    givenName: 2,
    lastName: 3,
    phone: 4,
    email: 5,
    birthday: 6,
    tags: 7,
    principal: 8,
    bonus: 9,
    points: 10,
    expiresOn: 11,
    bonusExpiresOn: 12,
    voucher: 13,
    voucherCount: 14,
    voucherExpiresOn: 15,
  });
});

test('people without a name come in, and are known to staff by their number, masked, or their address', async () => {
  const staff = await newStaff();
  const importId = await upload('Mobile,E-mail,Surname\n81230001,,\n,nobody@example.com,\n81230002,,Tan\n', staff);
  await imports(staff).start({ importId, mapping: { columns: { phone: 0, email: 1, lastName: 2 }, dateOrder: 'DMY' } });
  await continueImport(staff, { merchantId: staff.merchant.id, importId });
  expect((await imports(staff).get({ importId })).enrolledCount).toBe(3);
  const { items } = await callAs(staff).customers.list({});
  expect(items.map(({ name }) => name).sort()).toEqual(['+65••••0001', 'Tan', 'nobody@example.com']);
  const { customerId = '' } = items.find(({ phone }) => phone === '+6581230001') ?? {};
  const { customer, revision } = await callAs(staff).customers.get({ customerId });
  const { givenName, lastName, phone, birthday, tags } = customer;
  // Staff can change the rest without inventing a name.
  const edited = { customerId, givenName, lastName, phone, birthday, tags, revision, email: 'new@example.com' };
  await callAs(staff).customers.edit(edited);
  expect((await callAs(staff).customers.get({ customerId })).customer).toMatchObject({
    givenName: '',
    email: 'new@example.com',
  });
});

describe('a worker', () => {
  test('that is killed is replaced by another, which continues', async () => {
    const staff = await newStaff();
    const importId = await upload(headings + people(2_500), staff);
    await imports(staff).start({ importId, mapping });
    const key = { merchantId: staff.merchant.id, importId };
    expect(await importBatch(staff, key)).toBe(true);
    expect(await imports(staff).get({ importId })).toMatchObject({ state: 'running', doneCount: 1_000 });

    const jobs = () => database.owner`select id, locked_at from graphile_worker.jobs
      where key = ${`import ${importId}`}`;
    // The queue still believes that the killed worker is running it.
    await abandonJob(database.owner, `import ${importId}`);
    await requeueStalledImports(staff);
    expect((await jobs()).filter(({ locked_at }) => locked_at === null)).toHaveLength(0);
    now = new Date(now.getTime() + 2 * 60_000);
    await requeueStalledImports(staff);
    expect((await jobs()).filter(({ locked_at }) => locked_at === null)).toHaveLength(1);

    await continueImport(staff, key);
    const { state, enrolledCount } = await imports(staff).get({ importId });
    expect([state, enrolledCount, (await customersOf(staff)).length]).toEqual(['finished', 2_500, 2_500]);
  });

  test('beside others enrols no one twice', async () => {
    const staff = await newStaff();
    const importId = await upload(headings + people(3_000) + people(10, 500), staff);
    const start = () => imports(staff).start({ importId, mapping });
    await Promise.all([start(), start(), start()]);
    const key = { merchantId: staff.merchant.id, importId };
    await Promise.all([continueImport(staff, key), continueImport(staff, key), continueImport(staff, key)]);
    const { enrolledCount, problemCount } = await imports(staff).get({ importId });
    expect([enrolledCount, problemCount, (await customersOf(staff)).length]).toEqual([3_000, 10, 3_000]);
    await continueImport(staff, key);
    expect((await customersOf(staff)).length).toBe(3_000);
  });
});

test('keeps no personal data of enrolled customers, and after 30 days none at all', async () => {
  const staff = await newStaff();
  const importId = await run(`${headings}Ada,Tan,81230001,,\nBad,Tan,1,,\n`, staff);
  const left = async () => {
    const rows = await database.owner`
      select cells[1] as name from customer_import_rows where import_id = ${importId}
      union all select unnest(headings[1:1]) from customer_imports where id = ${importId}`;
    return rows.map(({ name }) => name);
  };
  const [heading] = headings.split(',');
  expect(await left()).toEqual(['Bad', heading]);
  now = new Date(now.getTime() + 29 * 24 * 60 * 60_000);
  await forgetOldImports(staff);
  expect(await left()).toEqual(['Bad', heading]);
  now = new Date(now.getTime() + 2 * 24 * 60 * 60_000);
  await forgetOldImports(staff);
  expect(await left()).toEqual([]);
});

test('starting a finished import again does nothing', async () => {
  const staff = await newStaff();
  const importId = await run(`${headings}Ada,Tan,81230001,,\n`, staff);
  const before = await imports(staff).get({ importId });
  expect(await imports(staff).start({ importId, mapping })).toEqual({ importId });
  expect(await imports(staff).get({ importId })).toEqual(before);
  const trail = await database.owner`
    select from audit_log where merchant_id = ${staff.merchant.id} and action = 'customers.import'`;
  expect(trail).toHaveLength(1);
});

test('a column that the file does not have is refused at its field', async () => {
  const importId = await upload('Name,Phone\nAda,81230001\n');
  const start = imports().start({ importId, mapping: { columns: { givenName: 0, phone: 2 }, dateOrder: 'YMD' } });
  await expect(start).rejects.toMatchObject({ cause: { issues: [{ path: 'mapping.columns.phone' }] } });
});

test('another merchant’s import is not found', async () => {
  const importId = await upload('Name,Phone\nAda,81230001\n');
  const other = imports(await newStaff());
  for (const attempt of [
    () => other.get({ importId }),
    () => other.preview({ importId, mapping }),
    () => other.start({ importId, mapping }),
    () => other.problems({ importId }),
    () => other.get({ importId: newId() }),
  ]) {
    await expect(attempt()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
});

test('many rows need little memory', async () => {
  const staff = await newStaff();
  async function* file() {
    yield Buffer.from(headings);
    for (let n = 0; n < 12; n++) yield Buffer.from(people(1_000, n * 1_000));
  }
  const { importId } = await receiveFile(staff, { fileName: 'all.csv', body: file() });
  expect((await imports(staff).get({ importId })).rowCount).toBe(12_000);
  await imports(staff).start({ importId, mapping });
  global.gc?.();
  const before = process.memoryUsage().heapUsed;
  let most = 0;
  const watch = (async () => {
    for (;;) {
      most = Math.max(most, process.memoryUsage().heapUsed);
      const { state } = await imports(staff).get({ importId });
      if (state === 'finished') return;
      await wait(50);
    }
  })();
  await continueImport(staff, { merchantId: staff.merchant.id, importId });
  await watch;
  expect((most - before) / 1024 / 1024).toBeLessThan(100);
  expect((await imports(staff).get({ importId })).enrolledCount).toBe(12_000);
}, 180_000);
