import type { Database, Fragment, Tx } from '@/db/client';
import type { PosContext } from '../core/context';
import { DomainError, invalid } from '../core/errors';
import { toE164 } from './phone';
import type { CustomerRef } from './schemas';

/** By what a customer is named. One whose personal data was erased is found by `anyId` only. */
export type CustomerKeyKind = 'id' | 'anyId' | 'phone' | 'email';

/** What a POS names a customer by, as it is stored. Errors: `invalid_request` for what is no phone number. */
export function customerKey(
  ctx: PosContext,
  ref: CustomerRef,
  path = 'customer.phone',
): { kind: CustomerKeyKind; key: string } {
  if (ref.customerId !== undefined) return { kind: 'id', key: ref.customerId };
  if (ref.email !== undefined) return { kind: 'email', key: ref.email.toLowerCase() };
  const phone = toE164(ref.phone ?? '', ctx.merchant.country);
  if (phone === null) throw invalid(path, 'is not a phone number');
  return { kind: 'phone', key: phone };
}

/** The condition on `customers c` that finds whom the key names: a text, or an expression that is one. */
export function customerCondition(
  sql: Tx['sql'] | Database['reads'],
  kind: CustomerKeyKind,
  key: string | Fragment,
): Fragment {
  if (kind === 'phone') return sql`c.phone = ${key}`;
  if (kind === 'email') return sql`c.email_key = ${key}`;
  return kind === 'id' ? sql`c.id = ${key}::uuid and c.erased_at is null` : sql`c.id = ${key}::uuid`;
}

export function customerNotFound(): DomainError {
  return new DomainError('customer_not_found', 'There is no such customer.');
}
