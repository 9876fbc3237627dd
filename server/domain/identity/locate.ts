import { and, eq, isNull, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { alias, type PgColumn } from 'drizzle-orm/pg-core';
import type { Tx } from '@/db/driver';
import { customers } from '@/db/schema';
import type { Merchant } from '../kernel/context';
import { DomainError, invalid } from '../kernel/errors';
import { say } from '../kernel/say';
import { toE164 } from './phone';
import type { Named } from './rules';
import type { CustomerRef } from './schemas';

/** How a customer is identified. Only `anyId` also finds erased customers. */
export const customerKeyKinds = ['id', 'anyId', 'phone', 'email'] as const;
export type CustomerKeyKind = (typeof customerKeyKinds)[number];

/** Normalizes a POS's customer reference to its stored form. Errors: `invalid_request` for an invalid phone number. */
export function customerKey(
  ctx: { merchant: Pick<Merchant, 'country'> },
  ref: CustomerRef,
  path = 'customer.phone',
): { kind: CustomerKeyKind; key: string } {
  if (ref.customerId !== undefined) return { kind: 'id', key: ref.customerId };
  if (ref.email !== undefined) return { kind: 'email', key: ref.email.toLowerCase() };
  const phone = toE164(ref.phone ?? '', ctx.merchant.country);
  if (phone === null) throw invalid(path, say('notAPhoneNumber'));
  return { kind: 'phone', key: phone };
}

/** The condition that finds the key's customer. */
export function customerCondition(kind: CustomerKeyKind, key: string | SQL | Placeholder): SQL | undefined {
  if (kind === 'phone') return eq(customers.phone, key);
  if (kind === 'email') return eq(customers.emailKey, key);
  const isTheirs = eq(customers.id, sql`${key}::uuid`);
  return kind === 'id' ? and(isTheirs, isNull(customers.erasedAt)) : isTheirs;
}

/** The customer that look-ups find. For a merged customer, that is the one that was kept. */
export const keptId = sql<string>`coalesce(${customers.mergedInto}, ${customers.id})`;

/** Finds a customer as look-ups do; null if there is none. Errors: `invalid_request` for an invalid phone number. */
export async function findKeptId(
  { merchantId, db }: Pick<Tx, 'merchantId' | 'db'>,
  merchant: Pick<Merchant, 'country'>,
  ref: CustomerRef,
): Promise<string | null> {
  const { kind, key } = customerKey({ merchant }, ref);
  const [found] = await db
    .select({ id: keptId })
    .from(customers)
    .where(and(eq(customers.merchantId, merchantId), customerCondition(kind, key)));
  return found?.id ?? null;
}

/** Selects a customer's id and those of the duplicates merged into it, whose earlier visits count, too. */
export function identitiesOf({ merchantId, db }: Pick<Tx, 'merchantId' | 'db'>, customerId: PgColumn | string) {
  const [own, duplicate] = [alias(customers, 'own'), alias(customers, 'duplicate')];
  return db
    .select({ id: own.id })
    .from(own)
    .where(and(eq(own.merchantId, merchantId), eq(own.id, customerId)))
    .unionAll(
      db
        .select({ id: duplicate.id })
        .from(duplicate)
        .where(and(eq(duplicate.merchantId, merchantId), eq(duplicate.mergedInto, customerId))),
    )
    .as('identity');
}

/** As `displayName`, in the database. `columns` are those of `customers`, or of a subquery of it. */
export const displayNameOf = (columns: Record<keyof Named, PgColumn | SQL>): SQL<string> =>
  sql<string>`coalesce(
    nullif(trim(concat_ws(' ', ${columns.givenName}, ${columns.lastName})), ''),
    left(${columns.phone}, 3) || '••••' || right(${columns.phone}, 4),
    ${columns.email},
    ''
  )`;

/** The name as staff see it. */
export const fullName = displayNameOf(customers);

export function customerMerged(): DomainError {
  return new DomainError('customer_not_found', say('customerMerged'));
}

export function customerNotFound(): DomainError {
  return new DomainError('customer_not_found', say('customerNotFound'));
}
