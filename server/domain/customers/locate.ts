import type { Database, Fragment } from '@/db/client';
import type { PosContext } from '../core/context';
import { DomainError, invalid } from '../core/errors';
import { toE164 } from './phone';
import type { CustomerRef } from './schemas';

/** The condition on `customers` that finds whom `ref` names. Errors: `invalid_request` for what is no phone number. */
export function customerCondition(ctx: PosContext, ref: CustomerRef, path = 'customer.phone'): Fragment {
  const { sql } = ctx.db as Database;
  if (ref.customerId !== undefined) return sql`c.id = ${ref.customerId} and c.erased_at is null`;
  if (ref.email !== undefined) return sql`c.email_key = ${ref.email.toLowerCase()}`;
  const phone = toE164(ref.phone ?? '', ctx.merchant.country);
  if (phone === null) throw invalid(path, 'is not a phone number');
  return sql`c.phone = ${phone}`;
}

export function customerNotFound(): DomainError {
  return new DomainError('customer_not_found', 'There is no such customer.');
}
