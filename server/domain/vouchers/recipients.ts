import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { anyOf } from '@/db/query/expressions';
import { balances, customers } from '@/db/schema';
import { keptId, toE164 } from '../identity';
import type { StaffContext } from '../kernel/context';
import { uuidKey } from '../kernel/page';

export interface Recipients {
  /** Without duplicates. */
  customerIds: string[];
  /** How many lines repeat an earlier line's customer. */
  repeated: number;
  /** Lines that could not be used, counted from 1. */
  problems: { line: number; text: string; reason: 'unreadable' | 'unknown' | 'blocked' }[];
}

/**
 * Finds the customers of a pasted list, one per line: by phone number, e-mail address or customer id. Empty lines are
 * ignored.
 */
export async function findRecipients(ctx: StaffContext, { lines }: { lines: string[] }): Promise<Recipients> {
  const entries = lines.flatMap((line, at) => {
    const text = line.trim();
    return text === '' ? [] : [{ line: at + 1, text, key: keyOf(text, ctx.merchant.country) }];
  });
  const known = await findCustomers(
    ctx,
    entries.flatMap(({ key }) => key ?? []),
  );
  const found: Recipients = { customerIds: [], repeated: 0, problems: [] };
  const seen = new Set<string>();
  for (const { line, text, key } of entries) {
    const customer = key === null ? undefined : known.get(key);
    if (!customer) found.problems.push({ line, text, reason: key === null ? 'unreadable' : 'unknown' });
    else if (customer.isBlocked) found.problems.push({ line, text, reason: 'blocked' });
    else if (seen.has(customer.id)) found.repeated += 1;
    else seen.add(customer.id);
  }
  return { ...found, customerIds: [...seen] };
}

/** Returns the look-up key: an id, an address with `@`, or a number with `+`. */
function keyOf(text: string, country: string): string | null {
  const lower = text.toLowerCase();
  if (uuidKey.test(lower)) return lower;
  if (lower.includes('@')) return lower;
  return toE164(text, country);
}

async function findCustomers(
  { db, merchant }: StaffContext,
  keys: string[],
): Promise<Map<string, { id: string; isBlocked: boolean }>> {
  const emails = keys.filter((key) => key.includes('@'));
  const phones = keys.filter((key) => key.startsWith('+'));
  const ids = keys.filter((key) => uuidKey.test(key));
  const rows = await withMerchant(db, merchant.id, ({ merchantId, db }) => {
    const { id, phone, emailKey, erasedAt } = customers;
    const named = (key: typeof id | typeof phone | typeof emailKey, condition: SQL | undefined) =>
      db
        .select({ id: keptId.as('id'), key: sql<string>`${key}::text`.as('key') })
        .from(customers)
        .where(and(eq(customers.merchantId, merchantId), condition));
    const found = named(id, and(anyOf(id, ids), isNull(erasedAt)))
      .unionAll(named(phone, anyOf(phone, phones)))
      .unionAll(named(emailKey, anyOf(emailKey, emails)))
      .as('found');
    return db
      .select({ key: found.key, id: found.id, isBlocked: sql<boolean>`${isNotNull(balances.blockedAt)}` })
      .from(found)
      .innerJoin(balances, and(eq(balances.merchantId, merchantId), eq(balances.customerId, found.id)));
  });
  return new Map(rows.map(({ key, ...customer }) => [key, customer]));
}
