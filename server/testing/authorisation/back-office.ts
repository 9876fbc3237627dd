import type { TestDatabase } from '@/db/testing/database';
import { exports } from '@/server/csv/exports';
import { staffContext } from '@/server/domain/access/context';
import type { StaffContext, StaffRole } from '@/server/domain/kernel/context';
import { listProcedures } from '@/server/trpc/procedures';
import { staffRouter } from '@/server/trpc/staff/router';
import { createMerchant, testServices } from '../factory';
import { callAs, createStaff } from '../staff';
import { answerTo, badInput, callAt, idsOf, tableOf } from './answers';

const roles: StaffRole[] = ['owner', 'manager', 'cashier'];
const signs: Record<string, string> = { role_forbidden: '–', confirmation_required: 'proof' };

/** Lists who may call each procedure of the back office. */
export async function backOfficeTable(database: TestDatabase): Promise<string> {
  const { all, nobody } = await callersOf(database);
  const rows = await Promise.all(
    listProcedures(staffRouter).map(async ({ path, type, inputs }) => {
      const cells: string[] = [];
      for (const staff of all) {
        const answer = await answerTo(callAt(callAs(staff), path, badInput));
        cells.push(signs[answer] ?? answer);
      }
      for (const [name, staff] of Object.entries(nobody)) {
        const answer = await answerTo(callAt(callAs(staff), path, badInput));
        if (answer === 'yes') throw new Error(`${path} admits ${name}`);
      }
      return [path, type === 'query' ? 'reads' : type === 'mutation' ? 'changes' : 'follows', ...cells, idsOf(inputs)];
    }),
  );
  const columns = ['Procedure', '', 'Owner', 'Manager', 'Cashier', 'Manager of a store', 'Cashier of a store'];
  return tableOf([...columns, 'Owner, 16 minutes later', 'Ids in the input'], rows.sort(byPath));
}

const byPath = ([a = '']: string[], [b = '']: string[]) => (a < b ? -1 : 1);

/** Staff in every role, and people whom no procedure may admit. */
async function callersOf({ owner, db }: TestDatabase) {
  const services = testServices(db);
  const [merchant, other] = [await createMerchant(owner), await createMerchant(owner)];
  const storeIds = [merchant.stores[0].id];
  const [boss, manager, cashier] = await Promise.all(
    roles.map((role) => createStaff(owner, services, merchant.id, role)),
  );
  const ofStore = await Promise.all(
    (['manager', 'cashier'] as const).map((role) => createStaff(owner, services, merchant.id, role, storeIds)),
  );
  const { staff, ...rest } = boss as StaffContext;
  const late = { ...rest, staff: { ...staff, confirmedAt: new Date(Date.now() - 16 * 60_000) } };
  const stranger = await createStaff(owner, services, other.id);
  const membership = { merchantId: other.id, merchantName: '', role: 'owner' as const, storeIds: null };
  return {
    all: [boss, manager, cashier, ...ofStore, late] as StaffContext[],
    nobody: {
      'a person who is signed out': null,
      'an owner without the demanded second factor': {
        ...rest,
        staff: { ...staff, secondFactorFrom: new Date(Date.now() - 1_000) },
      },
      'the owner of another merchant': await staffContext(
        services,
        { ...stranger.staff, memberships: [{ ...membership, secondFactorFrom: null }] },
        merchant.id,
      ),
    },
  };
}

/** Lists who may export each list as CSV, as its declaration says, by which the route decides. */
export const exportsTable = (): string =>
  tableOf(
    ['Export', ...roles, 'Of a store', 'Needs a recent proof'],
    Object.entries(exports)
      .map(([name, list]) => [
        name,
        ...roles.map((role) => (list.roles.includes(role) ? 'yes' : '–')),
        list.isOfAllStores ? '–' : 'yes',
        list.isSensitive ? 'proof' : '',
      ])
      .sort(byPath),
  );
