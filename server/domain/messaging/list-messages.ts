import type { Row } from 'postgres';
import { withMerchant } from '@/db/client';
import { ifGiven, madeOn } from '../core/filter';
import { type Page, seek, seekSql, toPage } from '../core/page';
import { maskPhone } from '../customers/phone';
import type { StaffContext } from '../staff/context';
import type { ListMessagesInput, MessageState } from './schemas';
import { tryOpenSecret } from './secret';

export interface MessageSummary {
  messageId: string;
  kind: string;
  /** Null for a phone of nobody known. */
  customerId: string | null;
  customerName: string | null;
  /** Masked; null where the customer has no phone number any more. */
  phone: string | null;
  state: MessageState;
  attempts: number;
  /** Why it failed, or why it is tried again. */
  failure: string | null;
  /** The code that it carries: only of a sandbox's inbox, where it went nowhere else, and never for a cashier. */
  code: string | null;
  /** What a notice says, likewise. */
  text: string | null;
  createdAt: Date;
  updatedAt: Date;
}

const newestFirst = { columns: ['m.id'], descending: true };

/** Written out, for each is the condition of an index. */
const isInState: Record<MessageState, string> = {
  queued: "m.state = 'queued'",
  sent: "m.state = 'sent'",
  delivered: "m.state = 'delivered'",
  read: "m.state = 'read'",
  failed: "m.state = 'failed'",
  inbox: "m.state = 'inbox'",
};

/** The merchant's messages to customers, newest first. */
export function listMessages(ctx: StaffContext, input: ListMessagesInput): Promise<Page<MessageSummary>> {
  const page = seek(input, newestFirst);
  const opensCodes = ctx.messenger === 'inbox' && ctx.staff.role !== 'cashier';
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const { merchantId, sql } = tx;
    const { where, orderBy, limit } = seekSql(tx, page, newestFirst);
    // Customers are looked up for the page's messages only, one by one: a join would read all of them.
    const rows = await sql`
      select m.*, c.given_name, c.last_name, coalesce(m.stranger, c.phone) as phone
      from (
        select m.id, m.kind, m.customer_id, m.phone as stranger, m.state, m.attempts, m.failure, m.secret, m.due_at,
          m.created_at, m.updated_at
        from messages m
        where m.merchant_id = ${merchantId} and ${where}
          and ${ifGiven(tx, input.state, (state) => sql.unsafe(isInState[state]))}
          and ${ifGiven(tx, input.customerId, (id) => sql`m.customer_id = ${id}`)}
          and ${madeOn(tx, 'm.id', ctx.merchant.timeZone, input)}
        order by ${orderBy} ${limit}
      ) m
      left join lateral (
        select given_name, last_name, phone from customers where merchant_id = ${merchantId} and id = m.customer_id limit 1
      ) c on true
      order by ${orderBy}`;
    return toPage(
      rows,
      page,
      ({ id }) => [id],
      (row) => toSummary(row, opensCodes ? ctx.messageKey : null),
    );
  });
}

/** `messageKey`: null where the reader may see no codes. */
function toSummary(row: Row, messageKey: Buffer | null): MessageSummary {
  const isReadable = messageKey !== null && row.state === 'inbox' && row.secret !== null;
  const said = isReadable ? tryOpenSecret(messageKey, row.id, row.secret) : null;
  const isNotice = row.due_at !== null;
  return {
    messageId: row.id,
    kind: row.kind,
    customerId: row.customer_id,
    customerName: row.customer_id === null ? null : `${row.given_name} ${row.last_name}`.trim(),
    phone: row.phone === null ? null : maskPhone(row.phone),
    state: row.state,
    attempts: row.attempts,
    failure: row.failure,
    code: isNotice ? null : said,
    text: isNotice ? said : null,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
