import { and, eq, sql } from 'drizzle-orm';
import { recordset, setTenantOfEach } from '@/db/query/expressions';
import { type Given, ofEach, prepare } from '@/db/query/queries';
import { customerPins, customers, stores, transactions } from '@/db/schema';
import { customerCondition, customerKey, customerKeyKinds, keptId, toE164 } from '../identity';
import { batchLookups, inOrder, numbered } from '../kernel/batch-lookups';
import type { TransactionContext } from '../kernel/context';
import { openStore, requestedStoreCode, storeNotFound } from '../merchants';
import type { TransactionInput } from './kind';

/** The outcome recorded for a `transactionId`. */
export type Outcome = Pick<typeof transactions.$inferSelect, 'type' | 'status' | 'requestHash' | 'answer'>;

/** What is looked up for a request before anything is locked. */
export interface Located {
  storeId: string;
  customerId: string | null;
  /** Null if no PIN is required. */
  pinLockedUntil: Date | null;
  outcome: Outcome | null;
}

/** Looks up store, earlier outcome and customer. Errors: `store_forbidden`, `store_not_found`, `invalid_request`. */
export async function locateCustomer(
  ctx: TransactionContext,
  input: TransactionInput,
  needsPin: boolean,
): Promise<Located> {
  const storeCode = requestedStoreCode(ctx, input.storeCode);
  const { kind, key } = customerKeyOf(ctx, input);
  const scope = { kind, asksPin: needsPin && ctx.merchant.pinRequired };
  const question = { merchantId: ctx.merchant.id, storeCode, transactionId: input.transactionId, key };
  const { storeId, customerId, outcome, pin } = await lookTogether(ctx.db.reads, scope, question);
  if (storeId === null) throw storeNotFound(storeCode);
  return { storeId, customerId, outcome, pinLockedUntil: pin?.lockedUntil ?? null };
}

/** Errors: `invalid_request` for an invalid phone number, unless the sale may be recorded without the customer. */
function customerKeyOf(
  ctx: TransactionContext,
  { customer, ifCustomerUnknown }: TransactionInput,
): { kind: Kind; key: string | null } {
  const nobody = { kind: 'nobody' as const, key: null };
  if (!customer) return nobody;
  if (ifCustomerUnknown !== 'recordWithout' || customer.phone === undefined) return customerKey(ctx, customer);
  return toE164(customer.phone, ctx.merchant.country) === null ? nobody : customerKey(ctx, customer);
}

interface Question {
  merchantId: string;
  storeCode: string;
  transactionId: string;
  /** The customer's key, if there is a customer. */
  key: string | null;
}

const kinds = ['nobody', ...customerKeyKinds] as const;
type Kind = (typeof kinds)[number];

/**
 * For each request, reads the open store, the outcome of its id there, and the customer, with the lock of the PIN if it
 * matters.
 */
const lookUp = (asksPin: boolean, kind: Kind) =>
  prepare((db, given: Given<{ questions: ReturnType<typeof numbered<Question>> }>) => {
    const { transactionId } = transactions;
    const shape = {
      n: sql<number>`int`,
      merchantId: transactions.merchantId,
      storeCode: stores.storeCode,
      transactionId,
      key: sql<string | null>`text`,
    };
    const question = recordset('question', shape, given.questions);
    const tenant = setTenantOfEach(question.merchantId);
    const store = openStore(db, tenant.id, question.storeCode);
    const outcome = db
      .select({
        type: transactions.type,
        status: transactions.status,
        requestHash: transactions.requestHash,
        answer: transactions.answer,
      })
      .from(transactions)
      .where(
        and(
          eq(transactions.merchantId, tenant.id),
          eq(transactions.storeId, store.id),
          eq(transactions.transactionId, question.transactionId),
        ),
      )
      .limit(1)
      .as('outcome');
    const customer = db
      .select({ id: keptId.as('kept_id') })
      .from(customers)
      .where(
        kind === 'nobody'
          ? sql`false`
          : and(eq(customers.merchantId, tenant.id), customerCondition(kind, question.key)),
      )
      .limit(1)
      .as('customer');
    const pin = db
      .select({ lockedUntil: customerPins.lockedUntil })
      .from(customerPins)
      .where(
        and(
          eq(customerPins.merchantId, tenant.id),
          eq(customerPins.customerId, customer.id),
          asksPin ? undefined : sql`false`,
        ),
      )
      .limit(1)
      .as('pin');
    const { type, status, requestHash, answer } = outcome;
    return db
      .select({
        n: question.n,
        isOwn: tenant.isOwn,
        storeId: store.id,
        outcome: { type, status, requestHash, answer },
        customerId: customer.id,
        pin: { lockedUntil: pin.lockedUntil },
      })
      .from(question.$rows)
      .crossJoin(tenant.$rows)
      .leftJoinLateral(store, sql`true`)
      .leftJoinLateral(outcome, sql`true`)
      .leftJoinLateral(customer, sql`true`)
      .leftJoinLateral(pin, sql`true`);
  });

const lookUps = {
  withPin: ofEach(kinds, (kind) => lookUp(true, kind)),
  plain: ofEach(kinds, (kind) => lookUp(false, kind)),
};

interface Scope extends Record<string, string | boolean> {
  kind: Kind;
  asksPin: boolean;
}

const lookTogether = batchLookups(async (reads, { kind, asksPin }: Scope, questions: Question[]) =>
  inOrder(await lookUps[asksPin ? 'withPin' : 'plain'][kind](reads, { questions: numbered(questions) })),
);
