import { and, eq, lte, type SQL, sql } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { customers, ledgerEntries } from '@/db/schema';
import { displayName } from '../identity';
import { endOfDate } from '../kernel/calendar';
import type { StaffContext } from '../kernel/context';
import { type ListOrder, type Page, seekPage, seekSql, toPage } from '../kernel/page';
import type { BalancePart } from '../ledger';
import type { BalancesInput } from './schemas';

export interface CustomerBalance {
  customerId: string;
  /** The full name, as shown. */
  name: string;
  givenName: string;
  lastName: string;
  phone: string | null;
  joinedAt: Date;
  isErased: boolean;
  /** Minor units, and points: the sum of the ledger's entries up to the end of the day. */
  principal: number;
  bonus: number;
  points: number;
}

const { id, givenName, lastName, phone, joinedAt, erasedAt } = customers;
const order: ListOrder = { columns: [joinedAt, id], kinds: ['instant', 'uuid'], descending: false };

/**
 * Lists the customers who had joined by a day, in the order of joining, with their balances at its end. Errors:
 * `invalid_request` for a cursor of another list.
 */
export async function balancesReport(ctx: StaffContext, input: BalancesInput): Promise<Page<CustomerBalance>> {
  const page = seekPage(input, order);
  const { where, orderBy, limit } = seekSql(page, order);
  const end = endOfDate(input.day, ctx.merchant);
  const rows = await withMerchant(ctx.db, ctx.merchant.id, ({ merchantId, db }) => {
    const listed = db
      .select({ id, givenName, lastName, phone, joinedAt, erasedAt })
      .from(customers)
      .where(and(eq(customers.merchantId, merchantId), lte(joinedAt, end), where))
      .orderBy(...orderBy)
      .limit(limit)
      .as('customers');
    const { part, amount } = ledgerEntries;
    const sumOf = (wanted: BalancePart): SQL.Aliased<number> =>
      sql<number>`coalesce(sum(${amount}) filter (where ${eq(part, wanted).inlineParams()}), 0)::bigint`.as(wanted);
    const held = db
      .select({ principal: sumOf('principal'), bonus: sumOf('bonus'), points: sumOf('points') })
      .from(ledgerEntries)
      .where(
        and(
          eq(ledgerEntries.merchantId, merchantId),
          eq(ledgerEntries.customerId, listed.id),
          lte(ledgerEntries.createdAt, end),
        ),
      )
      .as('held');
    return db
      .select({
        customerId: listed.id,
        givenName: listed.givenName,
        lastName: listed.lastName,
        phone: listed.phone,
        joinedAt: listed.joinedAt,
        erasedAt: listed.erasedAt,
        principal: held.principal,
        bonus: held.bonus,
        points: held.points,
      })
      .from(listed)
      .crossJoinLateral(held)
      .orderBy(...orderBy);
  });
  return toPage(
    rows,
    page,
    (row) => [row.joinedAt, row.customerId],
    ({ erasedAt, ...row }) => ({
      ...row,
      name: displayName(row),
      isErased: erasedAt !== null,
    }),
  );
}
