/** Set-up for tests of the menu. */
import type { TestDatabase } from '@/db/testing/database';
import type { StaffRole } from '@/server/domain/kernel/context';
import { createMerchant, testServices } from './factory';
import { callAs, createStaff } from './staff';

/** Creates a merchant with an empty menu, and its staff's procedures. */
export async function createMenuScene(database: TestDatabase, role: StaffRole = 'manager') {
  const merchant = await createMerchant(database.owner);
  const services = testServices(database.db);
  const staff = await createStaff(database.owner, services, merchant.id, role);
  const call = callAs(staff);
  const [north, south] = merchant.stores;
  const itemIn = (categoryId: string, plu: string, rest: object = {}) => ({
    categoryId,
    plu,
    name: `Item ${plu}`,
    price: 500,
    ...rest,
  });
  const addItem = async (categoryId: string, plu: string, rest: object = {}) =>
    (await call.menu.createItem(itemIn(categoryId, plu, rest))).itemId;
  /** Saves a form right after opening it. */
  const updateItem = async (itemId: string, item: ReturnType<typeof itemIn>) =>
    call.menu.updateItem({ itemId, ...item, revision: (await call.menu.item({ itemId })).revision });
  const addCategory = async (name: string) => (await call.menu.createCategory({ name })).categoryId;
  const renameCategory = async (categoryId: string, name: string) => {
    const revision = (await call.menu.categories()).find((one) => one.categoryId === categoryId)?.revision as string;
    return call.menu.updateCategory({ categoryId, name, revision });
  };
  const plusOf = async (categoryId: string) => (await call.menu.categoryItems({ categoryId })).map(({ plu }) => plu);
  const change = { addItem, updateItem, addCategory, renameCategory };
  return { merchant, services, staff, call, north, south, itemIn, plusOf, ...change };
}
export type MenuScene = Awaited<ReturnType<typeof createMenuScene>>;

interface Refusal {
  code?: string;
  issues?: { path: string | string[] }[];
}

/** Returns a domain error's code and fields. */
export async function refusalOf(work: Promise<unknown>): Promise<{ code: string; paths: string[] }> {
  try {
    await work;
  } catch (error) {
    const { cause = error } = error as { cause?: unknown };
    const { code = 'invalid_input', issues = [] } = cause as Refusal;
    const paths = issues.map(({ path }) => (Array.isArray(path) ? path.join('.') : path));
    return { code, paths };
  }
  throw new Error('it was not refused');
}
