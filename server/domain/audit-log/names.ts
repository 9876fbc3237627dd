import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Tx } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import {
  apiKeys,
  bills,
  customerImports,
  customers,
  diningTables,
  invitations,
  menuCategories,
  menuItems,
  menuOptionGroups,
  orders,
  qrCodes,
  storedValuePackages,
  stores,
  topUpRequests,
  transactions,
  users,
  voucherCampaigns,
  vouchers,
  webhookEndpoints,
} from '@/db/schema';
import { fullName } from '../identity';
import { uuidKey } from '../kernel/page';

type Entry = { subject: { kind: string; id: string }; before: unknown; after: unknown };
type Find = (tx: Tx, ids: string[]) => Promise<{ id: string; name: string | null }[]>;

type NamedTable = PgTable & { merchantId: PgColumn; id: PgColumn };
const named =
  (table: NamedTable, name: PgColumn | SQL): Find =>
  ({ merchantId, db }, ids) =>
    db
      .select({ id: sql<string>`${table.id}`, name: sql<string | null>`${name}` })
      .from(table as PgTable)
      .where(and(eq(table.merchantId, merchantId), anyOf(table.id, ids)));

/** Finds the current names for each kind of item. Deleted items have none. */
const finders = {
  store: named(stores, stores.name),
  apiKey: named(apiKeys, apiKeys.name),
  webhook: named(
    webhookEndpoints,
    sql`coalesce(nullif(${webhookEndpoints.description}, ''), split_part(${webhookEndpoints.url}, '/', 3))`,
  ),
  customer: named(customers, fullName),
  qrCode: named(qrCodes, sql`coalesce(${qrCodes.table}, ${qrCodes.billId})`),
  diningTable: named(diningTables, diningTables.name),
  order: named(orders, sql`'#' || ${orders.number}`),
  bill: named(bills, sql`concat(${bills.billId}, ' (' || ${bills.table} || ')')`),
  package: named(storedValuePackages, storedValuePackages.name),
  campaign: named(voucherCampaigns, voucherCampaigns.name),
  menuItem: named(menuItems, menuItems.name),
  menuCategory: named(menuCategories, menuCategories.name),
  menuOptionGroup: named(menuOptionGroups, menuOptionGroups.name),
  invitation: named(invitations, invitations.email),
  import: named(customerImports, customerImports.fileName),
  user: ({ db }, ids) => db.select({ id: users.id, name: users.name }).from(users).where(anyOf(users.id, ids)),
  voucher: ({ merchantId, db }, ids) =>
    db
      .select({
        id: vouchers.id,
        name: sql<string>`overlay(${vouchers.voucherCode} placing '-' from 6 for 0) || ' (' || ${voucherCampaigns.name} || ')'`,
      })
      .from(vouchers)
      .innerJoin(
        voucherCampaigns,
        and(eq(voucherCampaigns.merchantId, vouchers.merchantId), eq(voucherCampaigns.id, vouchers.campaignId)),
      )
      .where(and(eq(vouchers.merchantId, merchantId), anyOf(vouchers.id, ids))),
  topUpRequest: ({ merchantId, db }, ids) =>
    db
      .select({ id: topUpRequests.id, name: fullName })
      .from(topUpRequests)
      .innerJoin(
        customers,
        and(eq(customers.merchantId, topUpRequests.merchantId), eq(customers.id, topUpRequests.customerId)),
      )
      .where(and(eq(topUpRequests.merchantId, merchantId), anyOf(topUpRequests.id, ids))),
  plu: ({ merchantId, db }, plus) =>
    db
      .select({ id: menuItems.plu, name: menuItems.name })
      .from(menuItems)
      .where(and(eq(menuItems.merchantId, merchantId), anyOf(menuItems.plu, plus))),
} satisfies Record<string, Find>;
type Kind = keyof typeof finders;

/** The fields of entries whose values are ids, or lists of them. */
const idFields: Record<string, Kind> = {
  storeId: 'store',
  storeIds: 'store',
  lastVisitedStoreId: 'store',
  mergedId: 'customer',
  categoryId: 'menuCategory',
  categoryIds: 'menuCategory',
  itemIds: 'menuItem',
  optionGroupIds: 'menuOptionGroup',
  packageIds: 'package',
  plu: 'plu',
  plus: 'plu',
};

/** An entry about more items, such as the import of a menu, names only the first ones. */
const maxNamedPerEntry = 50;

/** Returns the current names of the items in each entry, by id or PLU. */
export async function namesIn(tx: Tx, entries: Entry[]): Promise<Record<string, string>[]> {
  const mentions = entries.map(({ subject, before, after }) => {
    const inside = [...mentionsIn(before), ...mentionsIn(after)].slice(0, maxNamedPerEntry);
    const all: [string, string][] = [[subject.kind, subject.id], ...inside];
    return all.filter(([kind, id]) => kind === 'plu' || uuidKey.test(id));
  });
  const wanted = new Map<Kind, Set<string>>();
  for (const [kind, id] of mentions.flat()) {
    if (isKind(kind)) wanted.set(kind, (wanted.get(kind) ?? new Set()).add(id));
  }
  const found = await Promise.all([...wanted].map(([kind, ids]) => finders[kind](tx, [...ids])));
  const names = new Map(found.flat().map(({ id, name }) => [id, name]));
  return mentions.map((one) => {
    const known = one.flatMap(([, id]): [string, string][] => {
      const name = names.get(id);
      return name ? [[id, name]] : [];
    });
    return Object.fromEntries(known);
  });
}

const isKind = (kind: string): kind is Kind => Object.hasOwn(finders, kind);

/** Returns the ids in a value of an entry, each with its kind, which follows from its field's name. */
function mentionsIn(value: unknown): [string, string][] {
  if (Array.isArray(value)) return value.flatMap(mentionsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([field, inner]): [string, string][] => {
    const kind = Object.hasOwn(idFields, field) ? idFields[field] : undefined;
    if (!kind) return mentionsIn(inner);
    return [inner].flat().flatMap((id): [string, string][] => (typeof id === 'string' ? [[kind, id]] : []));
  });
}

/** A transaction that an entry voided. */
export interface VoidedTransaction {
  type: (typeof transactions.$inferSelect)['type'];
  /** Minor units, or points for a redemption of points. */
  amount: number | null;
  customerName: string | null;
}

/** Returns what each entry voided. */
export async function voidedIn({ merchantId, db }: Tx, entries: Entry[]): Promise<VoidedTransaction[][]> {
  const ids = entries.flatMap(({ subject: { kind, id } }) => (kind === 'void' && uuidKey.test(id) ? [id] : []));
  if (ids.length === 0) return entries.map(() => []);
  const { type, amount, voidId } = transactions;
  const rows = await db
    .select({ voidId, type, amount, customerName: sql<string | null>`${fullName}` })
    .from(transactions)
    .leftJoin(
      customers,
      and(eq(customers.merchantId, transactions.merchantId), eq(customers.id, transactions.customerId)),
    )
    .where(and(eq(transactions.merchantId, merchantId), anyOf(voidId, ids)));
  return entries.map(({ subject }) => rows.flatMap(({ voidId: id, ...one }) => (id === subject.id ? [one] : [])));
}
