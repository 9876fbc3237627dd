/** Who may call what: each procedure as each role, and as a stranger, against a table that must name every procedure. */
import { TRPCError } from '@trpc/server';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '@/db/testing/database';
import type { StaffContext } from '@/server/domain/staff/context';
import type { StaffRole } from '@/server/domain/staff/sign-in';
import { createMerchant, testServices } from '@/server/testing/factory';
import { callAs, createStaff } from '@/server/testing/staff';
import { staffRouter } from './router';

const everybody: StaffRole[] = ['owner', 'manager', 'cashier'];
const ownersOnly: StaffRole[] = ['owner'];

const table: Record<string, StaffRole[]> = {
  changes: everybody,
  'settings.get': everybody,
  'settings.setPinRequired': ownersOnly,
};

let database: TestDatabase;
const staff = {} as Record<StaffRole, StaffContext>;

beforeAll(async () => {
  database = await cloneDatabase(inject('adminUrl'));
  const { id } = await createMerchant(database.owner);
  for (const role of everybody) {
    staff[role] = await createStaff(database.owner, testServices(database.db), id, role);
  }
});
afterAll(() => database.drop());

/** Input that no procedure with an input takes: whoever may call it learns so, whoever may not is refused before. */
const badInput = Symbol('bad') as unknown;

async function codeOf(path: string, ctx: StaffContext | null): Promise<string> {
  const caller = callAs(ctx) as unknown as Record<string, (input: unknown) => Promise<unknown>>;
  const procedure = path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], caller);
  try {
    await (procedure as (input: unknown) => Promise<unknown>)(badInput);
    return 'OK';
  } catch (error) {
    return error instanceof TRPCError ? error.code : 'INTERNAL_SERVER_ERROR';
  }
}

test('the table names every procedure', () => {
  expect(Object.keys(table).sort()).toEqual(Object.keys(staffRouter._def.procedures).sort());
});

describe.each(Object.entries(table))('%s', (path, roles) => {
  test.each(everybody)('as %s', async (role) => {
    const code = await codeOf(path, staff[role]);
    if (roles.includes(role)) expect(['OK', 'BAD_REQUEST']).toContain(code);
    else expect(code).toBe('FORBIDDEN');
  });

  test('as a stranger', async () => {
    expect(await codeOf(path, null)).toBe('UNAUTHORIZED');
  });
});
