/**
 * For staff of named stores, the merchant's other stores do not exist. Every procedure, with every id of a store
 * replaced by another store's, responds as for an unknown id, reveals nothing, and changes nothing there. What all
 * stores share is refused. The cases are those of `tenancy.test.ts`, at two stores of one merchant. A new procedure or
 * id fails there, or here until it is listed below.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedDatabase } from '@/db/testing/database';
import type { StaffContext, StaffRole } from '@/server/domain/kernel/context';
import { callAs, createStaff } from '@/server/testing/staff';
import { idFieldsOf, idOfNobody, valueAt, withIdAt } from '@/server/testing/tenancy/fields';
import { outcomeOf, withoutNew } from '@/server/testing/tenancy/outcome';
import { canariesOf, ofStore, type Rows, rowsOf } from '@/server/testing/tenancy/rows';
import { staffCases } from '@/server/testing/tenancy/staff-cases';
import { createTenancyStage, type TenancyStage } from '@/server/testing/tenancy/stage';
import { listProcedures } from './procedures';
import { staffRouter } from './staff/router';

interface Meta {
  roles: readonly StaffRole[];
  isOfAllStores: boolean;
}

/** Staff of named stores are managers and cashiers. */
const procedures = listProcedures<Meta>(staffRouter)
  .filter(({ type, meta }) => type !== 'subscription' && meta.roles.includes('manager'))
  .map(({ path, type, inputs, meta }) => ({ path, type, ...meta, fields: idFieldsOf(inputs) }));
const shared = procedures.filter(({ isOfAllStores }) => isOfAllStores);
const ofStores = procedures.filter(({ isOfAllStores }) => !isOfAllStores);

/** Ids of data that belongs to a store, by the last part of their path. */
const idsOfStores = new Set(
  'billUid callId storeId lastVisitedStoreId orderId orderIds paymentId qrCodeId qrCodeIds replacesId tableId tableIds uid uids search effect'.split(
    ' ',
  ),
);
/** Ids of data that belongs to the merchant, which all staff see. The client creates some of them. */
const idsOfMerchant = new Set(
  [
    'adjustmentId after before billId boughtCategoryId cashOutId campaignId categoryId customerId customerIds disputeId email issueId itemId noteId',
    'optionGroupId phone phoneOrEmail plu packageId refundId revision topUpId transactionUid voucherId',
  ].flatMap((line) => line.split(' ')),
);
/** Procedures that search the merchant's data. */
const searchMerchant = ['menu.searchItems', 'customers.list', 'campaigns.list'];
const lastPart = (path: string) => path.split('.').at(-1)?.replaceAll('[]', '') ?? '';

/** A customer's history shows what happened in other stores, with ids that open nothing. */
const tellsUids = ['customers.ledger', 'customers.sales'];
/** Inputs that only staff of all stores may send. */
const refusedInputs: Record<string, number[]> = { 'vouchers.issue': [1] };

const database = sharedDatabase();
let north: TenancyStage;
let south: TenancyStage;
/** The northern store's staff. */
const staff = {} as Record<StaffRole, StaffContext>;
/** As at the start: data that is added later does not resemble the southern store's. */
let rows: Rows;

beforeAll(async () => {
  north = await createTenancyStage(database, 'Aardvark', false);
  south = await createTenancyStage(database, 'Zanzibar', true, north);
  for (const role of ['manager', 'cashier'] as const) {
    staff[role] = await createStaff(database.owner, north.services, north.merchant.id, role, [north.north.id]);
  }
  north = { ...north, staff: { ...north.staff, ...staff } };
  rows = await rowsOf(database.owner, north.merchant.id);
});

const southernRows = async () => ofStore(await rowsOf(database.owner, north.merchant.id), south.north.id).own;

const isDone = /^\{("data"|\})/;

async function tell(path: string, role: StaffRole, input: unknown, id = '\0'): Promise<string> {
  // Earlier attempts would count against later ones.
  await database.owner`delete from throttles`;
  const caller = callAs(staff[role]) as unknown as Record<string, unknown>;
  const procedure = path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], caller);
  const outcome = await outcomeOf((procedure as (input: unknown) => Promise<unknown>)(input));
  return outcome.replaceAll(id, '…');
}

const inputsOf = async (path: string, stage: TenancyStage): Promise<unknown[]> => {
  const made = await staffCases[path]?.(stage);
  return Array.isArray(made) ? made : [made];
};

test('the other store has rows in every table of stores', () => {
  const empty = Object.entries(ofStore(rows, south.north.id).own).filter(
    ([table, own]) => own.length === 0 && (rows[table] as { store_id?: string }[]).some((row) => row.store_id),
  );
  expect(empty.map(([table]) => table)).toEqual([]);
});

test('it is known of every id whether it is a store’s', () => {
  const names = new Set(ofStores.flatMap(({ fields }) => fields.map(({ path }) => lastPart(path))));
  expect([...names].filter((name) => !idsOfStores.has(name) && !idsOfMerchant.has(name))).toEqual([]);
  expect([...idsOfStores, ...idsOfMerchant].filter((name) => !names.has(name))).toEqual([]);
});

test.each(ofStores)('$path', { timeout: 240_000 }, async ({ path, type, roles, fields }) => {
  // For each role, because an id created by the client then belongs to this store.
  const inputsByRole = new Map<StaffRole, unknown[]>();
  for (const role of roles) inputsByRole.set(role, await inputsOf(path, south));
  const theirs = await southernRows();
  const { own, others } = ofStore(rows, south.north.id);
  const canaries = canariesOf(own, others, south.word).filter(
    (canary) =>
      !tellsUids.includes(path) || !(rows.transactions as { uid: string }[]).some(({ uid }) => uid === canary),
  );
  expect(canaries.length).toBeGreaterThan(30);
  for (const role of roles.filter((one) => one !== 'owner')) {
    const inputs = await inputsOf(path, north);
    const ask = async (input: unknown, id?: string) => {
      const answer = await tell(path, role, input, id);
      if (isDone.test(answer)) unused = undefined;
      const told = canaries.filter((canary) => answer.includes(canary));
      expect(told, `${role} ${JSON.stringify(input)}: ${answer.slice(0, 300)}`).toEqual([]);
      return answer;
    };
    /** A change can't be repeated, so the next call needs another input. */
    let unused: { at: number; input: unknown } | undefined;
    const inputAt = async (at: number) => {
      if (type !== 'mutation') return inputs[at];
      if (unused?.at !== at) unused = { at, input: (await inputsOf(path, north))[at] };
      return unused.input;
    };

    for (const at of inputs.keys()) {
      const here = fields.filter(({ path: field }) => inputs.findIndex((input) => valueAt(input, field)) === at);
      for (const field of here) {
        const same = valueAt(inputsByRole.get(role)?.[at], field.path) as string;
        const telling = type === 'mutation' ? withoutNew : (answer: string) => answer;
        const unknown = idOfNobody(same);
        const answer = telling(await ask(withIdAt(await inputAt(at), field.path, same), same));
        const name = lastPart(field.path);
        if (!idsOfStores.has(name) || (name === 'search' && searchMerchant.includes(path))) continue;
        const reference = telling(await ask(withIdAt(await inputAt(at), field.path, unknown), unknown));
        expect(answer, `${role} ${field.path} ${same}`).toBe(reference);
      }
      const input = await inputAt(at);
      const answer = await ask(input);
      const isRefused = refusedInputs[path]?.includes(at) ?? false;
      expect(answer, `${role} ${JSON.stringify(input)}`).toMatch(isRefused ? /allStoresOnly/ : isDone);
    }
  }
  expect(await southernRows()).toEqual(theirs);
});

describe('what all stores share', () => {
  test.each(shared)('$path is refused', async ({ path }) => {
    const made = (await inputsOf(path, north))[0];
    // A refusal adds a line to the audit log.
    const rowsNow = async () => ({ ...(await rowsOf(database.owner, north.merchant.id)), audit_log: [] });
    const before = await rowsNow();
    expect(await tell(path, 'manager', made)).toMatch(
      /"role_forbidden".*allStoresOnly|allStoresOnly.*"role_forbidden"/s,
    );
    expect(await rowsNow()).toEqual(before);
  });
});
