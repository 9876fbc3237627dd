import { type Tx, withMerchant } from '@/db/client';
import { audit } from '../core/audit';
import type { PosContext } from '../core/context';
import { DomainError, invalid } from '../core/errors';
import { newId } from '../core/ids';
import { toE164 } from './phone';
import type { Customer, EnrolInput } from './schemas';

/**
 * Adds a customer to the programme, with an empty balance. Errors: `customer_exists` with its `customerId`,
 * `invalid_request` for what is no phone number or a birthday to come.
 */
export async function enrol(ctx: PosContext, input: EnrolInput): Promise<Customer> {
  const phone = input.phone === undefined ? null : toE164(input.phone, ctx.merchant.country, { strict: true });
  if (input.phone !== undefined && phone === null) throw invalid('phone', 'is not a valid phone number');
  const now = ctx.clock.now();
  if (input.birthday !== undefined && new Date(input.birthday) > now) throw invalid('birthday', 'is in the future');
  const customer: Customer = {
    customerId: newId(),
    givenName: input.givenName,
    lastName: input.lastName,
    phone,
    email: input.email ?? null,
    birthday: input.birthday ?? null,
    joinedAt: now.toISOString(),
    hasPin: false,
  };
  await withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const existing = await insertCustomer(tx, customer, now);
    if (existing !== null) {
      const message = 'Another customer has this phone number or e-mail address.';
      throw new DomainError('customer_exists', message, { customerId: existing });
    }
    await audit(
      tx,
      { kind: 'apiKey', id: ctx.apiKeyId },
      'customer.enrol',
      { kind: 'customer', id: customer.customerId },
      now,
    );
  });
  return customer;
}

/** Writes a customer and the empty balance; answers who has the phone number or e-mail address already, if someone has. */
async function insertCustomer({ merchantId, sql }: Tx, customer: Customer, now: Date): Promise<string | null> {
  const { customerId, givenName, lastName, phone, email, birthday } = customer;
  const { count } = await sql`
    insert into customers (merchant_id, id, given_name, last_name, phone, email, birthday, joined_at, created_at)
    values (${merchantId}, ${customerId}, ${givenName}, ${lastName}, ${phone}, ${email}, ${birthday}, ${now}, ${now})
    on conflict do nothing`;
  if (count === 1) {
    await sql`insert into balances (merchant_id, customer_id) values (${merchantId}, ${customerId})`;
    return null;
  }
  const [existing] = await sql`
    select id from customers
    where merchant_id = ${merchantId} and (phone = ${phone} or email_key = ${email?.toLowerCase() ?? null}) limit 1`;
  return existing?.id;
}
