import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { queriesOn } from '@/db/driver';
import { sharedDatabase } from '@/db/testing/database';
import { createCustomer, createMerchant, testServices } from '@/server/testing/factory';
import { abandonJob } from '@/server/testing/queue';
import { callAs, createStaff } from '@/server/testing/staff';
import { rowsOf } from '@/server/testing/tenancy/rows';
import { authenticateKey } from '../access/authenticate';
import type { PosContext, StaffContext } from '../kernel/context';
import { newId } from '../kernel/ids';
import { verifyLedger } from '../ledger/verify';
import { closeMerchant, openMerchant } from '../merchants';
import { redeemPoints } from '../points/redeem';
import { redeemStoredValue } from '../stored-value/redeem';
import { continueImport, importBatch, requeueStalledImports } from './run';
import type { ImportMapping } from './schemas';
import { undoBatch } from './undo';
import { receiveFile } from './upload';

const database = sharedDatabase();
let staff: StaffContext;
let till: PosContext;
let now = new Date('2026-06-01T08:00:00Z');

beforeAll(async () => {
  const { owner, db } = database;
  const merchant = await createMerchant(owner, { balance_limit: 1_000_000 });
  const services = testServices(db, { now: () => now });
  staff = await createStaff(owner, services, merchant.id, 'manager');
  till = await authenticateKey(services, merchant.stores[0].key);
});
afterAll(async () => {
  expect(await verifyLedger(database.owner)).toEqual([]);
});

const headings = 'Name,E-mail,Stored_value,Bonus,Points,Expires,Tier\n';
const columns = { givenName: 0, email: 1, principal: 2, bonus: 3, points: 4, expiresOn: 5 };
const mapping: ImportMapping = { columns, dateOrder: 'YMD' };
const imports = () => callAs(staff).customerImports;
const newEmail = () => `${newId()}@example.com`;

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}
const upload = async (rows: string) =>
  (await receiveFile(staff, { fileName: 'old-programme.csv', body: bytesOf(headings + rows) })).importId;
const keyOf = (importId: string) => ({ merchantId: staff.merchant.id, importId });
async function run(rows: string): Promise<string> {
  const importId = await upload(rows);
  await imports().start({ importId, mapping });
  await continueImport(staff, keyOf(importId));
  return importId;
}
async function undo(importId: string) {
  await imports().undo({ importId });
  await continueImport(staff, keyOf(importId));
  return (await imports().get({ importId })).openings;
}
const customerOf = async (email: string): Promise<string> => {
  const [row] = await database.owner`select id from customers where email = ${email}`;
  return row?.id;
};
const held = async (email: string) => {
  const customerId = await customerOf(email);
  const { storedValue, points } = await callAs(staff).customers.get({ customerId });
  return { principal: storedValue.principal, bonus: storedValue.bonus, points: points.balance };
};
const sumOfImport = async (importId: string) => {
  const [row] = await database.owner`select sum(amount)::int as sum from adjustments where import_id = ${importId}`;
  return row?.sum;
};

describe('opening balances', () => {
  test('are adjustments with the file as their reason, for principal, bonus and points apart', async () => {
    const email = newEmail();
    const importId = await run(`Ada,${email},25.00,5,120,2026-12-31,Gold\n`);
    expect(await held(email)).toEqual({ principal: 2_500, bonus: 500, points: 120 });
    const customerId = await customerOf(email);
    const { items } = await callAs(staff).customers.ledger({ customerId });
    expect(items.map(({ type, adjustment }) => [type, adjustment?.reason, adjustment?.by])).toEqual(
      Array(3).fill(['adjustment', 'old-programme.csv', 'Test manager']),
    );
    const { items: lots } = await callAs(staff).customers.lots({ customerId });
    const expiry = new Date('2026-12-31T15:59:59.999Z');
    expect(new Map(lots.map(({ part, expiresAt }) => [part, expiresAt]))).toEqual(
      new Map([
        ['principal', null],
        ['bonus', expiry],
        ['points', expiry],
      ]),
    );
    expect(await imports().get({ importId })).toMatchObject({
      openings: { imported: { principal: 2_500, bonus: 500, points: 120 }, keptCount: 0 },
      unused: ['Tier'],
    });
  });

  test('are previewed in sum over the whole file, without existing customers and skipped rows', async () => {
    const { email } = await createCustomer(database.owner, staff.merchant.id);
    const many = Array.from({ length: 2_500 }, () => `Eve,${newEmail()},1,,2,,\n`).join('');
    const importId = await upload(
      `Ada,${email},10,,,,\nBob,${newEmail()},x,,,,\nCat,${newEmail()},,3,,2027-01-01,\n${many}`,
    );
    const { rows } = await imports().preview({ importId, mapping });
    expect(rows.slice(0, 3).map(({ problems }) => problems)).toEqual([['alreadyCustomer'], ['amountInvalid'], []]);
    expect(await imports().totals({ importId, mapping })).toEqual({
      ready: 2_501,
      warnings: 0,
      existing: 1,
      twins: 0,
      skipped: 1,
      added: 0,
      openings: { principal: 250_000, bonus: 300, points: 5_000 },
      addedOpenings: { principal: 0, bonus: 0, points: 0 },
      vouchers: 0,
      addedVouchers: 0,
    });
  });

  test('of twins in the file count as they come in: the first of each', async () => {
    const [email, other] = [newEmail(), newEmail()];
    const filler = Array.from({ length: 2_100 }, () => `Eve,${newEmail()},,,,,\n`).join('');
    const importId = await upload(
      `Ada,${email},10,,,,\nBob,${other},bad,,,,\n${filler}Ada,${email.toUpperCase()},12,,,,\nBob,${other},3,,,,\n`,
    );
    const { ready, twins, openings } = await imports().totals({ importId, mapping });
    expect([ready, twins, openings.principal]).toEqual([2_102, 1, 1_300]);
    await imports().start({ importId, mapping });
    await continueImport(staff, keyOf(importId));
    const { enrolledCount, openings: done } = await imports().get({ importId });
    expect([enrolledCount, done?.imported]).toEqual([ready, openings]);
  });

  test('of a column that can be read in two ways wait for the merchant’s choice', async () => {
    const email = newEmail();
    const importId = await upload(`Ada,${email},1.250,,2.000,,\n`);
    const asked = await imports().preview({ importId, mapping });
    expect([asked.unclear, asked.rows[0]?.problems]).toEqual([['principal', 'points'], ['amountAmbiguous']]);
    await expect(imports().start({ importId, mapping })).rejects.toMatchObject({
      cause: { issues: [{ path: 'mapping.decimalMarks.principal' }] },
    });
    const decided: ImportMapping = { ...mapping, decimalMarks: { principal: '.', points: ',' } };
    await imports().start({ importId, mapping: decided });
    await continueImport(staff, keyOf(importId));
    expect(await held(email)).toEqual({ principal: 125, bonus: 0, points: 2_000 });
  });

  test('are read as the rows of the whole file write them', async () => {
    const email = newEmail();
    const filler = Array.from({ length: 40 }, () => `Eve,${newEmail()},5,,,,\n`).join('');
    const importId = await upload(`Ada,${email},"1.250",,,,\n${filler}Bob,${newEmail()},"12,50",,,,\n`);
    const { unclear, decimalMarks } = await imports().preview({ importId, mapping });
    expect([unclear, decimalMarks.principal]).toEqual([[], ',']);
    await imports().start({ importId, mapping });
    await continueImport(staff, keyOf(importId));
    expect((await held(email)).principal).toBe(125_000);
  });

  test('an existing customer gets none, and a row with a bad amount is skipped, not a bad birthday', async () => {
    const { email } = await createCustomer(database.owner, staff.merchant.id);
    const [bad, other] = [newEmail(), newEmail()];
    const withBirthday = { ...mapping, columns: { ...columns, birthday: 6 } };
    const importId = await upload(`Ada,${email},10,,,,\nBob,${bad},ten,,,,\nCat,${other},10,,,,never\n`);
    await imports().start({ importId, mapping: withBirthday });
    await continueImport(staff, keyOf(importId));
    expect(await held(email)).toEqual({ principal: 0, bonus: 0, points: 0 });
    expect(await held(other)).toEqual({ principal: 1_000, bonus: 0, points: 0 });
    expect(await imports().get({ importId })).toMatchObject({ enrolledCount: 1, problemCount: 2, warningCount: 1 });
    const { items } = await imports().problems({ importId });
    expect(items.map(({ rowNumber, problems }) => [rowNumber, problems])).toEqual([
      [2, ['alreadyCustomer']],
      [3, ['amountInvalid']],
      [4, ['birthdayIgnored']],
    ]);
  });

  test('are posted once, though several workers carry on and one is killed half-way', async () => {
    const rows = Array.from({ length: 1_500 }, () => `Eve,${newEmail()},1,,,,\n`).join('');
    const importId = await upload(rows);
    await imports().start({ importId, mapping });
    await importBatch(staff, keyOf(importId));
    await abandonJob(database.owner, importId);
    now = new Date(now.getTime() + 5 * 60_000);
    await requeueStalledImports(staff);
    await Promise.all(Array.from({ length: 3 }, () => continueImport(staff, keyOf(importId))));
    expect(await sumOfImport(importId)).toBe(150_000);
    expect((await imports().get({ importId })).openings?.imported.principal).toBe(150_000);
  });
});

describe('customers who exist', () => {
  const adding: ImportMapping = { ...mapping, addsToKnown: true };
  const runAs = async (fileName: string, rows: string, chosen = adding) => {
    const { importId } = await receiveFile(staff, { fileName, body: bytesOf(headings + rows) });
    const { totals, problems } = {
      totals: await imports().totals({ importId, mapping: chosen }),
      problems: imports().problems,
    };
    await imports().start({ importId, mapping: chosen });
    await Promise.all([1, 2].map(() => continueImport(staff, keyOf(importId))));
    const { items } = await problems({ importId });
    return { importId, totals, reasons: items.flatMap((row) => row.problems) };
  };

  test('get the balance of the file if the merchant says so, as the totals of both groups say', async () => {
    const { email: known } = await createCustomer(database.owner, staff.merchant.id);
    const other = newEmail();
    const name = `${newId()}.csv`;
    const { importId, totals, reasons } = await runAs(
      name,
      `Ada,${known},10,2,30,,\nBob,${other},5,,,,\nAda,${known},7,,,,\n`,
    );
    expect(reasons).toEqual(['twiceInFile']);
    expect(totals).toMatchObject({
      ready: 1,
      added: 1,
      twins: 1,
      openings: { principal: 500, bonus: 0, points: 0 },
      addedOpenings: { principal: 1_000, bonus: 200, points: 30 },
      vouchers: 0,
      addedVouchers: 0,
    });
    expect([await held(known as string), await held(other)]).toEqual([
      { principal: 1_000, bonus: 200, points: 30 },
      { principal: 500, bonus: 0, points: 0 },
    ]);
    expect(await imports().get({ importId })).toMatchObject({
      enrolledCount: 1,
      addedCount: 1,
      problemCount: 1,
      doneCount: 3,
      openings: { imported: { principal: 1_500 }, addedToKnown: { principal: 1_000, bonus: 200, points: 30 } },
    });
    await undo(importId);
    expect(await held(known as string)).toEqual({ principal: 0, bonus: 0, points: 0 });
  });

  test('get it once, though the file is imported again, renamed, or corrected, until it is taken back', async () => {
    const { email } = await createCustomer(database.owner, staff.merchant.id);
    const name = `${newId()}.csv`;
    const row = `Ada,${email},10,,,,\n`;
    const { importId } = await runAs(name, row);
    for (const [fileName, rows] of [
      [name, row],
      [`copy of ${name}`, row],
      [name, `Ada,${email},12,,,,\n`],
    ] as const) {
      const { reasons, totals } = await runAs(fileName, rows);
      expect([reasons, totals.added, totals.skipped]).toEqual([['openingGiven'], 0, 1]);
    }
    expect((await held(email as string)).principal).toBe(1_000);
    await runAs('another programme.csv', `Ada,${email},3,,,,\n`);
    expect((await held(email as string)).principal).toBe(1_300);
    await undo(importId);
    await runAs(name, `Ada,${email},12,,,,\n`);
    expect((await held(email as string)).principal).toBe(1_500);
  });

  test('get it once from two files of one name that run at the same time', async () => {
    const { email } = await createCustomer(database.owner, staff.merchant.id);
    const fileName = `${newId()}.csv`;
    const rows = `${headings}Ada,${email},10,,,,\n`;
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await receiveFile(staff, { fileName, body: bytesOf(rows) })).importId),
    );
    for (const importId of ids) await imports().start({ importId, mapping: adding });
    await Promise.all(ids.map((importId) => continueImport(staff, keyOf(importId))));
    expect((await held(email as string)).principal).toBe(1_000);
  });

  test('get none if the row names two of them, has none, or would exceed the balance limit', async () => {
    const [one, two] = await Promise.all([1, 2].map(() => createCustomer(database.owner, staff.merchant.id)));
    const file = `Name,E-mail,Stored_value,Phone\nAda,${one?.email},10,${two?.phone}\nBob,${two?.email},,\nCat,${one?.email},10001,\n`;
    const { importId } = await receiveFile(staff, { fileName: `${newId()}.csv`, body: bytesOf(file) });
    const columns = { givenName: 0, email: 1, principal: 2, phone: 3 };
    await imports().start({ importId, mapping: { columns, dateOrder: 'YMD', addsToKnown: true } });
    await continueImport(staff, keyOf(importId));
    const { items } = await imports().problems({ importId });
    expect(items.map(({ problems }) => problems)).toEqual([
      ['contactsOfTwo'],
      ['alreadyCustomer'],
      ['overBalanceLimit'],
    ]);
  });
});

describe('undoing', () => {
  test('takes back what is unspent, and says what could not be taken back', async () => {
    const [whole, spent, pointsSpent] = [newEmail(), newEmail(), newEmail()];
    const importId = await run(
      `Ada,${whole},25,5,120,,\nBob,${spent},10,2,,,\nCat,${pointsSpent},,,50,,\nDee,${newEmail()},,,,,\n`,
    );
    const customer = async (email: string) => ({ customerId: await customerOf(email) });
    await redeemStoredValue({ ...till }, { transactionId: newId(), customer: await customer(spent), amount: 1 });
    await redeemPoints({ ...till }, { transactionId: newId(), customer: await customer(pointsSpent), points: 1 });
    const openings = await undo(importId);
    expect(await held(whole)).toEqual({ principal: 0, bonus: 0, points: 0 });
    const { principal, bonus } = await held(spent);
    expect(principal + bonus).toBeLessThan(1_200);
    expect(await held(pointsSpent)).toEqual({ principal: 0, bonus: 0, points: 49 });
    expect(openings?.keptCount).toBe(2);
    const { imported, reversed, kept } = openings ?? {};
    expect((reversed?.principal ?? 0) + (kept?.principal ?? 0)).toBe(imported?.principal);
    expect((reversed?.bonus ?? 0) + (kept?.bonus ?? 0)).toBe(imported?.bonus);
    expect([reversed?.points, kept?.points]).toEqual([120, 50]);
    const [audited] = await database.owner`
      select actor_id from audit_log where subject_id = ${importId} and action = 'customers.undoImport'`;
    expect(audited?.actor_id).toBe(staff.staff.userId);
  });

  test('is done once, also by several workers at once and after a kill', async () => {
    const rows = Array.from({ length: 700 }, () => `Eve,${newEmail()},1,,,,\n`);
    const importId = await run(rows.join(''));
    await Promise.all([imports().undo({ importId }), imports().undo({ importId })]);
    await undoBatch(staff, keyOf(importId));
    await abandonJob(database.owner, importId);
    now = new Date(now.getTime() + 5 * 60_000);
    await requeueStalledImports(staff);
    await Promise.all(Array.from({ length: 3 }, () => continueImport(staff, keyOf(importId))));
    const { openings, undoneAt } = await imports().get({ importId });
    expect(undoneAt).not.toBeNull();
    expect(openings).toMatchObject({ reversed: { principal: 70_000 }, kept: { principal: 0 }, keptCount: 0 });
    const [left] = await database.owner`
      select sum(b.principal)::int as sum from adjustments a
      join transactions t on t.merchant_id = a.merchant_id and t.uid = a.transaction_uid
      join balances b on b.merchant_id = t.merchant_id and b.customer_id = t.customer_id
      where a.import_id = ${importId}`;
    expect(left?.sum).toBe(0);
  });

  test('and the import stop between two batches when the merchant is closed, and continue once it is open again', async () => {
    const importId = await upload(Array.from({ length: 1_500 }, () => `Eve,${newEmail()},1,,,,\n`).join(''));
    const [owner, key] = [queriesOn(database.owner), keyOf(importId)];
    const progress = async () => {
      const { doneCount, openings } = await imports().get({ importId });
      return [doneCount, openings?.reversed.principal];
    };
    const whileClosed = async () => {
      await closeMerchant(owner, staff.merchant.id, now);
      const before = await progress();
      await continueImport(staff, key);
      expect(await progress()).toEqual(before);
      await openMerchant(owner, staff, staff.merchant.id);
    };
    await imports().start({ importId, mapping });
    await importBatch(staff, key);
    await whileClosed();
    expect(await progress()).toEqual([1_000, 0]);
    await continueImport(staff, key);
    await imports().undo({ importId });
    await undoBatch(staff, key);
    await whileClosed();
    expect(await progress()).toEqual([1_500, 50_000]);
    await continueImport(staff, key);
    expect(await progress()).toEqual([1_500, 150_000]);
  });

  test('is refused before the end', async () => {
    const importId = await upload(`Ada,${newEmail()},1,,,,\n`);
    await expect(imports().undo({ importId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

test('a row that names another merchant’s customer, by address or id, gives that customer nothing', async () => {
  const other = await createMerchant(database.owner);
  const email = newEmail();
  const theirs = await createCustomer(database.owner, other.id);
  await database.owner`update customers set email = ${email} where merchant_id = ${other.id} and id = ${theirs.id}`;
  const before = await rowsOf(database.owner, other.id);
  const file = `Name,E-mail,Stored_value,Customer_id,Merchant_id\nMei,${email},30.00,${theirs.id},${other.id}\n`;
  const { importId } = await receiveFile(staff, { fileName: 'theirs.csv', body: bytesOf(file) });
  await imports().start({ importId, mapping: { columns: { givenName: 0, email: 1, principal: 2 }, dateOrder: 'YMD' } });
  await continueImport(staff, keyOf(importId));
  const found = await database.owner`
    select b.merchant_id, b.principal::int as principal from customers c
    join balances b on b.merchant_id = c.merchant_id and b.customer_id = c.id
    where c.email = ${email} and c.id <> ${theirs.id}`;
  expect(found).toEqual([{ merchant_id: staff.merchant.id, principal: 3_000 }]);
  expect(await rowsOf(database.owner, other.id)).toEqual(before);
});
