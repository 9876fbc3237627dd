import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { withMerchant } from '@/db/driver';
import { ownDatabase } from '@/db/testing/database';
import { createMerchant, testServices } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { foldName, maxMatches } from '../identity/search';
import type { StaffContext } from '../kernel/context';
import { newId } from '../kernel/ids';
import { iteratePages } from '../kernel/page';
import { listCustomers } from './list';

const database = ownDatabase();
let ctx: StaffContext;

interface Person {
  givenName: string;
  lastName?: string;
  phone?: string;
  email?: string;
  joinedAt?: Date;
  principal?: number;
}

/** Writes customers into the tables directly, as a POS or an import does. */
async function add(merchantId: string, people: Person[]): Promise<string[]> {
  const { owner } = database;
  const rows = people.map((person, at) => ({
    merchant_id: merchantId,
    id: newId(),
    given_name: person.givenName,
    last_name: person.lastName ?? '',
    phone: person.phone ?? null,
    email: person.email ?? null,
    joined_at: person.joinedAt ?? new Date(Date.UTC(2026, 0, 1, 0, 0, at)),
  }));
  await owner`insert into customers ${owner(rows)}`;
  const balances = rows.map(({ merchant_id, id }, at) => ({
    merchant_id,
    customer_id: id,
    principal: people[at]?.principal ?? 0,
  }));
  await owner`insert into balances ${owner(balances)}`;
  return rows.map(({ id }) => id);
}

async function newStaff(): Promise<StaffContext> {
  const { id } = await createMerchant(database.owner);
  return createStaff(database.owner, testServices(database.db), id, 'manager');
}

const nameOf = ({ name }: { name: string }) => name;
const found = async (search: string, staff = ctx) =>
  (await callAs(staff).customers.list({ search, sort: 'name', descending: false })).items.map(nameOf);

beforeAll(async () => {
  ctx = await newStaff();
  await add(ctx.merchant.id, [
    { givenName: 'Mei Ling', lastName: 'Tan', phone: '+6591234567', email: 'mei.ling@example.com' },
    { givenName: 'Ling', lastName: 'Wei', phone: '+60123456789' },
    { givenName: 'José', lastName: 'García López', email: 'Jose@Example.org' },
    { givenName: '小明', lastName: '王', phone: '+8613800138000' },
    { givenName: '王伟', phone: '+12025550143' },
    { givenName: "Sinéad O'Brien-Smith", phone: '+353861234567' },
  ]);
});

describe('search', () => {
  test.each([
    ['mei', ['Mei Ling Tan']],
    ['MEI L', ['Mei Ling Tan']],
    ['  ling  ', ['Ling Wei', 'Mei Ling Tan']],
    ['tan mei', ['Mei Ling Tan']],
    ['Mei Tan', ['Mei Ling Tan']],
    ['tan, mei ling', ['Mei Ling Tan']],
    ['tan li', ['Mei Ling Tan']],
    ['garcia', ['José García López']],
    ['López', ['José García López']],
    ['jose lopez', ['José García López']],
    ['obrien', ["Sinéad O'Brien-Smith"]],
    ["o'b", ["Sinéad O'Brien-Smith"]],
    ['smith sinead', ["Sinéad O'Brien-Smith"]],
    ['王', ['小明 王', '王伟']],
    ['王伟', ['王伟']],
    ['王小明', ['小明 王']],
    ['小明', ['小明 王']],
    ['ing', []],
    ['tan wei', []],
    ['%', []],
    ['_', []],
  ])('by name: %s', async (search, names) => {
    expect(await found(search)).toEqual(names);
  });

  test.each([
    '+6591234567',
    '+65 9123 4567',
    '6591234567',
    '91234567',
    '9123-4567',
    '9123',
    '(+65) 9123',
    '0065 9123 4567',
    '4567',
    '234567',
  ])('by phone: %s', async (search) => {
    expect(await found(search)).toContain('Mei Ling Tan');
  });

  test.each([
    ['012-345 6789', 'Ling Wei'],
    ['(202) 555-0143', '王伟'],
    ['138 0013', '小明 王'],
    ['086 123', "Sinéad O'Brien-Smith"],
  ])('by a national number: %s', async (search, name) => {
    expect(await found(search)).toEqual([name]);
  });

  test('not by digits from the middle of a number, nor by its end', async () => {
    expect(await found('2345')).toEqual([]);
    expect(await found('7654')).toEqual([]);
  });

  test.each(['mei.ling@example.com', 'MEI.LING@', 'mei.l'])('by e-mail: %s', async (search) => {
    expect(await found(search)).toEqual(['Mei Ling Tan']);
  });

  test('finds a changed name by its new form only', async () => {
    const staff = await newStaff();
    const [id = ''] = await add(staff.merchant.id, [{ givenName: 'Before', phone: '+6581110000' }]);
    await database.owner`update customers set given_name = 'After', phone = '+6582220000' where id = ${id}`;
    expect(await found('before', staff)).toEqual([]);
    expect(await found('8111', staff)).toEqual([]);
    expect(await found('after', staff)).toEqual(['After']);
    expect(await found('8222', staff)).toEqual(['After']);
  });

  test('finds no one of another merchant', async () => {
    expect(await found('mei', await newStaff())).toEqual([]);
  });

  test('reports when more names match than are searched', async () => {
    const staff = await newStaff();
    const people = Array.from({ length: maxMatches + 20 }, (_, n) => ({ givenName: `Sam ${n}`, email: `s${n}@x.io` }));
    await add(staff.merchant.id, people);
    const { list } = callAs(staff).customers;
    expect((await list({ search: 'sam' })).isSearchCut).toBe(true);
    expect(await list({ search: 'sam 519' })).toMatchObject({ isSearchCut: false, items: [{ givenName: 'Sam 519' }] });
  });

  test('normalizes names as the database does', async () => {
    const text = fc.string({ unit: fc.constantFrom(...`aZ éÜñß王ｶﾞ한'’.,-_/\u00a0\u3000ЖŻİåﬁ½`) });
    const texts = fc.sample(text, 300);
    const rows =
      await database.owner`select fold_name(t) as folded from unnest(${texts}::text[]) with ordinality x (t, n) order by n`;
    expect(rows.map(({ folded }) => folded)).toEqual(texts.map(foldName));
  });
});

describe('a cashier’s look-up', () => {
  const find = async (phoneOrEmail: string, role: 'cashier' | 'manager' = 'cashier') => {
    const cashier = await createStaff(database.owner, testServices(database.db), ctx.merchant.id, role);
    return (await callAs(cashier).customers.find({ phoneOrEmail }))?.name ?? null;
  };

  test.each([
    ['+6591234567', 'Mei Ling Tan'],
    [' 9123 4567 ', 'Mei Ling Tan'],
    ['+60 012-345 6789', 'Ling Wei'],
    ['MEI.LING@example.com', 'Mei Ling Tan'],
    ['jose@example.org', 'José García López'],
  ])('finds the one with exactly %s', async (text, name) => {
    expect(await find(text)).toBe(name);
    expect(await find(text, 'manager')).toBe(name);
  });

  test.each([
    '9123456',
    '4567',
    '+65',
    '%',
    'mei.ling@',
    '@example.com',
    'mei.ling@example.co',
    'Mei Ling Tan',
    '王伟',
  ])('finds nobody by a part, or a name: %s', async (text) => {
    expect(await find(text)).toBeNull();
  });

  test('finds the kept customer by a merged one’s phone, nobody erased, and nobody of another merchant', async () => {
    const staff = await newStaff();
    const cashier = await createStaff(database.owner, testServices(database.db), staff.merchant.id, 'cashier');
    const { find: findThere } = callAs(cashier).customers;
    const [keptId = '', mergedId = '', erasedId = ''] = await add(staff.merchant.id, [
      { givenName: 'Kept', phone: '+6581110001' },
      { givenName: 'Merged', phone: '+6581110002', email: 'merged@example.com' },
      { givenName: 'Erased', phone: '+6581110003' },
    ]);
    await callAs(staff).customers.merge({ keptId, mergedId });
    const owner = await createStaff(database.owner, testServices(database.db), staff.merchant.id, 'owner');
    await callAs(owner).customers.erase({ customerId: erasedId });
    expect(await findThere({ phoneOrEmail: '8111 0002' })).toMatchObject({ customerId: keptId, isBlocked: false });
    expect(await findThere({ phoneOrEmail: '8111 0003' })).toBeNull();
    expect(await findThere({ phoneOrEmail: '9123 4567' })).toBeNull();
  });

  test('is all that a cashier may search by', async () => {
    const cashier = await createStaff(database.owner, testServices(database.db), ctx.merchant.id, 'cashier');
    await expect(callAs(cashier).customers.list({ search: 'mei' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('the list', () => {
  let staff: StaffContext;
  beforeAll(async () => {
    staff = await newStaff();
    await add(staff.merchant.id, [
      { givenName: 'Émile', joinedAt: new Date('2026-03-01T00:00:00Z') },
      { givenName: 'anna', joinedAt: new Date('2026-03-02T00:00:00Z'), principal: 500 },
      { givenName: 'Bob', joinedAt: new Date('2026-02-28T16:00:00Z') },
      { givenName: 'Zoe', joinedAt: new Date('2026-03-02T15:59:59.999Z'), principal: 100 },
      { givenName: 'Fay', joinedAt: new Date('2026-03-02T16:00:00Z') },
    ]);
  });

  const pages = async (input: object) => {
    const names: string[] = [];
    let after: string | null | undefined;
    do {
      const page = await callAs(staff).customers.list({ limit: 2, ...input, after: after ?? undefined });
      names.push(...page.items.map(nameOf));
      after = page.nextCursor;
    } while (after);
    return names;
  };

  test('is sorted by joining, newest first, or by name, either way, across pages', async () => {
    expect(await pages({})).toEqual(['Fay', 'Zoe', 'anna', 'Émile', 'Bob']);
    expect(await pages({ descending: false })).toEqual(['Bob', 'Émile', 'anna', 'Zoe', 'Fay']);
    expect(await pages({ sort: 'name', descending: false })).toEqual(['anna', 'Bob', 'Émile', 'Fay', 'Zoe']);
    expect(await pages({ sort: 'name' })).toEqual(['Zoe', 'Fay', 'Émile', 'Bob', 'anna']);
  });

  test('is limited to days of joining, in the merchant’s time zone', async () => {
    expect(await pages({ from: '2026-03-01', until: '2026-03-02' })).toEqual(['Zoe', 'anna', 'Émile', 'Bob']);
    expect(await pages({ from: '2026-03-03' })).toEqual(['Fay']);
  });

  test('is limited to customers with stored value, or blocked ones', async () => {
    expect(await pages({ holdsValue: true, sort: 'name', descending: false })).toEqual(['anna', 'Zoe']);
    await database.owner`
      update balances b set blocked_at = now() from customers c
      where c.id = b.customer_id and c.merchant_id = ${staff.merchant.id} and c.given_name in ('Zoe', 'Fay')`;
    expect(await pages({ isBlocked: true })).toEqual(['Fay', 'Zoe']);
    expect(await pages({ isBlocked: true, holdsValue: true, search: 'zo' })).toEqual(['Zoe']);
  });

  test('can be exported completely', async () => {
    const names: string[] = [];
    const joined = { sort: 'joined', descending: false } as const;
    const all = iteratePages((page) => listCustomers(staff, { ...joined, ...page }));
    for await (const customer of all) names.push(nameOf(customer));
    expect(names).toEqual(['Bob', 'Émile', 'anna', 'Zoe', 'Fay']);
  });
});

test('every page is an index range, under row-level security', async () => {
  const staff = await newStaff();
  const people = Array.from({ length: 3_000 }, (_, n) => ({
    givenName: `Given${n % 50}`,
    lastName: `Last${n}`,
    phone: `+659${String(n).padStart(7, '0')}`,
    email: `person${n}@example.com`,
  }));
  await add(staff.merchant.id, people);
  await database.owner`analyze customers, customer_terms, balances`;
  const { list } = callAs(staff).customers;
  const cases = [
    {},
    { sort: 'name' as const },
    { search: 'last299' },
    { search: '90000012' },
    { search: 'given7 last7' },
    { from: '2026-01-01', until: '2026-01-31' },
    { after: (await list({})).nextCursor ?? '' },
  ];
  for (const input of cases) {
    const before = await rowsRead();
    await list({ limit: 10, ...input });
    expect((await rowsRead()) - before, JSON.stringify(input)).toBeLessThan(700);
  }
});

/** Returns how many rows of customers and their terms this database has read, by any scan. */
async function rowsRead(): Promise<number> {
  // A connection reports its counts after some idle time, or on request.
  await Promise.all(
    Array.from({ length: 10 }, () =>
      withMerchant(database.db, ctx.merchant.id, ({ db }) => db.run(sql`select pg_stat_force_next_flush()`)),
    ),
  );
  await Promise.all(Array.from({ length: 3 }, () => database.owner`select pg_stat_force_next_flush()`));
  const [row] = await database.owner`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_user_tables
    where relname in ('customers', 'customer_terms', 'balances')`;
  return row?.read;
}
