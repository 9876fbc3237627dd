import { and, eq, sql } from 'drizzle-orm';
import { recordset } from '@/db/expressions';
import { setTenant } from '@/db/functions';
import { type Given, ofEach, prepare } from '@/db/queries';
import { customerPins, customers, stores, transactions } from '@/db/schema';
import { customerCondition, customerKey, customerKeyKinds, keptId } from '../customers';
import { batchLookups, numbered } from '../kernel/batch-lookups';
import type { PosContext } from '../kernel/context';
import { openStore, requestedStoreCode, storeNotFound } from '../merchants';
import type { TransactionInput } from './record';

/** What became of a `transactionId`. */
export type Outcome = Pick<typeof transactions.$inferSelect, 'type' | 'status' | 'requestHash' | 'answer'>;

/** What is found out about a request before anything is locked. */
export interface Located {
  storeId: string;
  customerId: string | null;
  /** Null where no PIN is asked. */
  pinLockedUntil: Date | null;
  outcome: Outcome | null;
}

/** Store, earlier outcome and customer. Errors: `store_forbidden`, `store_not_found`, `invalid_request`. */
export async function locate(ctx: PosContext, input: TransactionInput, needsPin: boolean): Promise<Located> {
  const storeCode = requestedStoreCode(ctx, input.storeCode);
  const { kind, key } = input.customer ? customerKey(ctx, input.customer) : { kind: 'nobody' as const, key: null };
  const scope = { merchantId: ctx.merchant.id, kind, asksPin: needsPin && ctx.merchant.pinRequired };
  const question = { storeCode, transactionId: input.transactionId, key };
  const { storeId, pin, ...located } = await lookTogether(ctx.db.reads, scope, question);
  if (storeId === null) throw storeNotFound(storeCode);
  return { ...located, storeId, pinLockedUntil: pin?.lockedUntil ?? null };
}

interface Question {
  storeCode: string;
  transactionId: string;
  /** The customer's, if there is one. */
  key: string | null;
}

const kinds = ['nobody', ...customerKeyKinds] as const;
type Kind = (typeof kinds)[number];

/** Of each question the open store, what became of the id there, and the customer, with the lock of the PIN if it matters. */
const lookUp = (asksPin: boolean, kind: Kind) =>
  prepare((db, given: Given<{ merchantId: string; questions: ReturnType<typeof numbered<Question>> }>) => {
    const tenant = setTenant({ merchant: given.merchantId });
    const { transactionId } = transactions;
    const shape = { n: sql<number>`int`, storeCode: stores.storeCode, transactionId, key: sql<string | null>`text` };
    const question = recordset('question', shape, given.questions);
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
        storeId: store.id,
        outcome: { type, status, requestHash, answer },
        customerId: customer.id,
        pin: { lockedUntil: pin.lockedUntil },
      })
      .from(tenant.$rows)
      .crossJoin(question.$rows)
      .leftJoinLateral(store, sql`true`)
      .leftJoinLateral(outcome, sql`true`)
      .leftJoinLateral(customer, sql`true`)
      .leftJoinLateral(pin, sql`true`)
      .orderBy(question.n);
  });

const lookUps = {
  withPin: ofEach(kinds, (kind) => lookUp(true, kind)),
  plain: ofEach(kinds, (kind) => lookUp(false, kind)),
};

interface Scope extends Record<string, string | boolean> {
  merchantId: string;
  kind: Kind;
  asksPin: boolean;
}

const lookTogether = batchLookups((reads, { merchantId, kind, asksPin }: Scope, questions: Question[]) =>
  lookUps[asksPin ? 'withPin' : 'plain'][kind](reads, { merchantId, questions: numbered(questions) }),
);
