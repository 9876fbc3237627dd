import { and, eq, or, sql } from 'drizzle-orm';
import { type Tx, withMerchant } from '@/db/driver';
import { customers, messages } from '@/db/schema';
import { displayName, keptId, maskPhone, toE164 } from '../identity';
import type { LocalDays } from '../kernel/calendar';
import type { PosContext, StaffContext } from '../kernel/context';
import { DomainError, invalid } from '../kernel/errors';
import { createdOn } from '../kernel/on-days';
import { ifGiven, type Page, type Seek, seekPage, seekSql, toPage } from '../kernel/page';
import { type Sentence, say } from '../kernel/say';
import { type Keyring, tryOpenSecret } from '../kernel/secrets';
import { apiKinds, type SandboxMessagesInput, type SandboxMessagesOutput } from './sandbox-schemas';
import type { ListMessagesInput, MessageState } from './schemas';

export interface MessageSummary {
  messageId: string;
  kind: string;
  /** Null for a phone without a customer. */
  customerId: string | null;
  customerName: string | null;
  /** Masked; null if the customer no longer has a phone number. */
  phone: string | null;
  state: MessageState;
  attempts: number;
  /** Why it failed or is retried. */
  failure: Sentence | null;
  /** The message's code: only in a sandbox's inbox, and never for a cashier. */
  code: string | null;
  /** A notice's text, under the same conditions as `code`. */
  text: string | null;
  createdAt: Date;
  updatedAt: Date;
}

const newestFirst = { columns: [messages.id], descending: true };

/**
 * Lists the merchant's messages to customers, newest first. Cashiers see only one customer's messages, because they
 * can't list customers. Errors: `role_forbidden`.
 */
export async function listMessages(ctx: StaffContext, input: ListMessagesInput): Promise<Page<MessageSummary>> {
  if (ctx.staff.role === 'cashier' && input.customerId === undefined) {
    throw new DomainError('role_forbidden', say('messagesOfOneCustomer'));
  }
  const page = seekPage(input, newestFirst);
  const canSeeCodes = ctx.messenger === 'inbox' && ctx.staff.role !== 'cashier';
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) =>
    toPage(
      await selectMessages(tx, page, input, ctx.merchant),
      page,
      ({ id }) => [id],
      (row) => toSummary(row, canSeeCodes ? ctx.messageKey : null),
    ),
  );
}

/**
 * Lists what a sandbox would have sent over WhatsApp, newest first, with its codes, for tests of tills. Errors:
 * `invalid_request` for an invalid phone number or cursor.
 */
export async function listSandboxMessages(
  ctx: PosContext,
  { phone: given, after, limit }: SandboxMessagesInput,
): Promise<SandboxMessagesOutput> {
  const phone = given === undefined ? undefined : toE164(given, ctx.merchant.country);
  if (phone === null) throw invalid('phone', say('notAPhoneNumber'));
  const page = seekPage({ after, limit }, newestFirst);
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const rows = await selectMessages(tx, page, { state: 'inbox', phone }, ctx.merchant);
    const { items, nextCursor } = toPage(
      rows,
      page,
      ({ id }) => [id],
      (row) => ({
        ...contentOf(row, ctx.messageKey),
        messageId: row.id,
        kind: apiKinds[row.kind],
        customerId: row.customerId,
        phone: row.phone,
        createdAt: row.createdAt.toISOString(),
      }),
    );
    return { items, nextCursor };
  });
}

type Filter = Omit<ListMessagesInput, 'limit'> & {
  /** E.164. Selects messages to this number, and to the customer who has it. */
  phone?: string | undefined;
};

function selectMessages(tx: Tx, page: Seek, filter: Filter, days: LocalDays) {
  const { merchantId, db } = tx;
  const { where, orderBy, inOrder, limit } = seekSql(page, newestFirst);
  const { id, kind, customerId, state, attempts, failure, secret, dueAt, createdAt, updatedAt } = messages;
  const found = db
    .select({
      id,
      kind,
      customerId,
      stranger: sql<string | null>`${messages.phone}`.as('stranger'),
      state,
      attempts,
      failure,
      secret,
      dueAt,
      createdAt,
      updatedAt,
    })
    .from(messages)
    .where(
      and(
        eq(messages.merchantId, merchantId),
        where,
        // Inlined, because each state is the condition of a partial index.
        ifGiven(filter.state, (one) => eq(state, one).inlineParams()),
        ifGiven(filter.customerId, (one) => eq(customerId, one)),
        ifGiven(filter.phone, (one) => or(eq(messages.phone, one), eq(customerId, customerWith(tx, one)))),
        createdOn(id, days, filter),
      ),
    )
    .orderBy(...orderBy)
    .limit(limit)
    .as('found');
  // Looks customers up one by one for this page's messages: a join would read all of them.
  const { givenName, lastName, phone, email } = customers;
  const customer = db
    .select({ givenName, lastName, phone, email })
    .from(customers)
    .where(and(eq(customers.merchantId, merchantId), eq(customers.id, found.customerId)))
    .limit(1)
    .as('customer');
  return db
    .select({
      id: found.id,
      kind: found.kind,
      customerId: found.customerId,
      customer: {
        givenName: customer.givenName,
        lastName: customer.lastName,
        phone: customer.phone,
        email: customer.email,
      },
      phone: sql<string | null>`coalesce(${found.stranger}, ${customer.phone})`,
      state: found.state,
      attempts: found.attempts,
      failure: sql<Sentence | null>`${found.failure}`,
      secret: found.secret,
      dueAt: found.dueAt,
      createdAt: found.createdAt,
      updatedAt: found.updatedAt,
    })
    .from(found)
    .leftJoinLateral(customer, sql`true`)
    .orderBy(inOrder(found.id));
}

const customerWith = ({ merchantId, db }: Tx, phone: string) =>
  sql`(${db
    .select({ id: keptId })
    .from(customers)
    .where(and(eq(customers.merchantId, merchantId), eq(customers.phone, phone)))})`;

type MessageRow = Awaited<ReturnType<typeof selectMessages>>[number];

/** `messageKey` is null if the reader may not see codes. */
function toSummary(row: MessageRow, messageKey: Keyring | null): MessageSummary {
  const { id, customer, dueAt, secret, phone, ...message } = row;
  return {
    ...message,
    ...contentOf(row, messageKey),
    messageId: id,
    customerName: customer && displayName(customer),
    phone: phone === null ? null : maskPhone(phone),
  };
}

function contentOf({ id, state, secret, dueAt }: MessageRow, messageKey: Keyring | null) {
  const isReadable = messageKey !== null && state === 'inbox' && secret !== null;
  const said = isReadable ? tryOpenSecret(messageKey, id, secret) : null;
  const isNotice = dueAt !== null;
  return { code: isNotice ? null : said, text: isNotice ? said : null };
}
