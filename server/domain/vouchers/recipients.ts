import { withMerchant } from '@/db/client';
import { uuidKey } from '../core/cursor';
import { toE164 } from '../customers/phone';
import type { StaffContext } from '../staff/context';

export interface Recipients {
  /** Each once, however often named. */
  customerIds: string[];
  /** How many lines named somebody whom an earlier one had named. */
  repeated: number;
  /** What could not be made use of, by line from 1 on. */
  problems: { line: number; text: string; reason: 'unreadable' | 'unknown' | 'blocked' }[];
}

/** Whom a pasted list names, one a line: by phone number, e-mail address or customer id. Empty lines do not count. */
export async function findRecipients(ctx: StaffContext, { lines }: { lines: string[] }): Promise<Recipients> {
  const asked = lines.flatMap((line, at) => {
    const text = line.trim();
    return text === '' ? [] : [{ line: at + 1, text, key: keyOf(text, ctx.merchant.country) }];
  });
  const known = await findCustomers(
    ctx,
    asked.flatMap(({ key }) => key ?? []),
  );
  const found: Recipients = { customerIds: [], repeated: 0, problems: [] };
  const seen = new Set<string>();
  for (const { line, text, key } of asked) {
    const customer = key === null ? undefined : known.get(key);
    if (!customer) found.problems.push({ line, text, reason: key === null ? 'unreadable' : 'unknown' });
    else if (customer.isBlocked) found.problems.push({ line, text, reason: 'blocked' });
    else if (seen.has(customer.id)) found.repeated += 1;
    else seen.add(customer.id);
  }
  return { ...found, customerIds: [...seen] };
}

/** What a customer is looked up by: an id, an address with its `@`, or a number with its `+`. */
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
  const rows = await withMerchant(
    db,
    merchant.id,
    ({ merchantId, sql }) => sql`
      select c.id, c.key, b.blocked_at is not null as is_blocked
      from (
        select id, id::text as key from customers where merchant_id = ${merchantId} and id = any(${ids}::uuid[])
          and erased_at is null
        union all
        select id, phone from customers where merchant_id = ${merchantId} and phone = any(${phones})
        union all
        select id, email_key from customers where merchant_id = ${merchantId} and email_key = any(${emails})
      ) c
      join balances b on b.merchant_id = ${merchantId} and b.customer_id = c.id`,
  );
  return new Map(rows.map(({ id, key, is_blocked }) => [key, { id, isBlocked: is_blocked }]));
}
