import type { Tx } from '@/db/driver';
import { insertRows } from '@/db/query/expressions';
import { saleLines, salePayments, sales } from '@/db/schema';
import { checkSums, isSoldAgain, overpaidAfter, takenAtTill, toIncludedTax } from '../bills';
import { enrolFromSale } from '../customers';
import { checkEarningSale } from '../daily-limits';
import {
  type Accounts,
  answerHeader,
  type Done,
  defineOperation,
  executeTransaction,
  type PosAttempt,
} from '../engine';
import { endOfMonthAfter } from '../kernel/calendar';
import type { Merchant, PosContext } from '../kernel/context';
import { DomainError, invalid } from '../kernel/errors';
import { newId } from '../kernel/ids';
import { formatReceipt } from '../kernel/receipt';
import { say } from '../kernel/say';
import { type NewLot, openAccounts, repaymentsOf, sumOfDebts } from '../ledger';
import { balanceOfPoints, earningAmount, loadNoPointsPlus, pointsEarned, withoutExcluded } from '../points';
import type { SaleInput, SaleOutput } from './schemas';

/**
 * Records a settled bill or a part of one, closes it once all is settled (`engine/bill.ts`), and credits the customer's
 * points as of the time at the till (specification, section 4.2: Submit Sales). If the merchant enrols at sales, an unknown phone number or
 * e-mail address becomes a customer. With `ifCustomerUnknown`, the sale is recorded without an unknown one. Errors:
 * those of every transaction, and `totals_mismatch`, `limit_exceeded`, `bill_changed`.
 */
export async function submitSale(ctx: PosContext, input: SaleInput): Promise<SaleOutput> {
  for (const field of ['closesBill', 'expectedDue'] as const)
    if (input[field] !== undefined && input.billId === undefined) throw invalid(field, say('needsBillId'));
  checkTotals(input, ctx.merchant);
  return executeTransaction(sale, ctx, input);
}

/** Errors: `totals_mismatch`, with an issue for each wrong sum. */
function checkTotals(input: SaleInput, { currency }: Merchant): void {
  const { expectedTotal, issues } = checkSums(input, currency);
  const { total } = input;
  const paid = input.payments.reduce((sum, { amount }) => sum + amount, 0);
  if (paid !== total) issues.push({ path: 'payments', sentence: say('paymentsMismatch', { paid, total }) });
  if (issues.length === 0) return;
  throw new DomainError('totals_mismatch', say('totalsMismatch'), { expectedTotal, paid }, issues);
}

type Sale = PosAttempt<SaleInput>;

interface Loaded extends Accounts {
  /** PLUs that earn nothing. */
  noPointsPlus: Set<string>;
}

const sale = defineOperation<SaleInput, SaleOutput, Loaded>({
  type: 'sale',
  onBill: {
    sells: ({ input }) => ({
      ...partOf(input),
      closesBill: input.closesBill,
      expectedDue: input.expectedDue,
    }),
  },
  enrol: async (tx, attempt) => {
    const { ctx, input } = attempt;
    return ctx.merchant.enrolOnSale && input.customer ? enrolFromSale(tx, ctx, input.customer, attempt) : null;
  },
  load: async (tx, attempts, onLocked) => ({
    accounts: await openAccounts(tx, attempts, { onLocked, spend: 'nothing', withDebts: true }),
    noPointsPlus: await loadNoPointsPlus(
      tx,
      attempts.flatMap(({ ctx, customerId, input }) =>
        customerId === null ? [] : [{ merchant: ctx.merchant, lines: input.lines }],
      ),
    ),
  }),
  decide: (attempt, account, { noPointsPlus }, bill) => {
    const { merchant } = attempt.ctx;
    const { total } = attempt.input;
    const onBill = {
      overpaid: bill ? overpaidAfter(bill, soldPartOf(attempt), attempt.input.closesBill, attempt.now) : 0,
      billWasSettled: bill !== null && isSoldAgain(bill, attempt.input) ? true : undefined,
    };
    if (attempt.customerId === null)
      return { amount: total, answer: answerOf(attempt, { earned: 0, repaid: 0, owed: 0, points: null, ...onBill }) };
    const spent = withoutExcluded(earningAmount(merchant, attempt.input), attempt.input, noPointsPlus);
    const earned = pointsEarned(merchant, spent, account.points);
    if (earned > 0) checkEarningSale(merchant, spent);
    const expiresAt = expiryOf(attempt);
    // Points of a late sale may have expired already. They are recorded, but never counted.
    const isUsable = expiresAt === null || expiresAt > attempt.now;
    const lotId = newId();
    const repaid = isUsable ? repaymentsOf(account, lotId, earned) : [];
    const repaidPoints = repaid.reduce((sum, { amount }) => sum + amount, 0);
    const balance = account.spendable.points + (isUsable ? earned : 0) - repaidPoints;
    const lots: NewLot[] = earned > 0 ? [{ id: lotId, part: 'points', amount: earned, expiresAt }] : [];
    const owed = sumOfDebts(account.debts) - repaidPoints;
    const answer = answerOf(attempt, {
      earned,
      repaid: repaidPoints,
      owed,
      points: balanceOfPoints(balance, merchant),
      ...onBill,
    });
    return { amount: total, answer, lots, repaid };
  },
  write: (tx, done) => tx.send(...insertSales(tx, done)),
});

const soldPartOf = ({ uid, input, now }: Sale) => ({ ...partOf(input), uid, createdAt: now });

/** What a sale settles of its bill. */
const partOf = ({ total, subtotal, payments, rounding = 0 }: SaleInput) => ({
  total,
  subtotal,
  rounding,
  taken: takenAtTill(payments),
});

function expiryOf({ ctx: { merchant }, occurredAt }: Sale): Date | null {
  if (merchant.pointsExpiryMonths === null) return null;
  return endOfMonthAfter(occurredAt, merchant.pointsExpiryMonths, merchant);
}

interface Outcome extends Pick<SaleOutput, 'points' | 'overpaid' | 'billWasSettled'> {
  earned: number;
  /** How many of them paid what the customer owed. */
  repaid: number;
  /** What the customer still owes. */
  owed: number;
}

function answerOf(attempt: Sale, { earned, repaid, owed, points, overpaid, billWasSettled }: Outcome): SaleOutput {
  const { ctx, input, customerId, vouchersIssued } = attempt;
  const { merchant } = ctx;
  const pointLines =
    points === null
      ? []
      : ([
          ['pointsEarned', { count: earned }],
          ...(repaid > 0 ? ([['pointsRepaid', { count: -repaid }]] as const) : []),
          ...(owed > 0 ? ([['pointsOwed', { count: owed }]] as const) : []),
          ['points', { count: points.balance }],
        ] as const);
  const customerUnknown = input.customer !== undefined && customerId === null ? true : undefined;
  const included = toIncludedTax(input.taxIncluded).reduce((sum, { amount }) => sum + amount, 0);
  const taxLine = included > 0 ? ([['taxIncluded', included]] as const) : [];
  const unknownLine = customerUnknown ? ([['customerUnknown', '']] as const) : [];
  return {
    ...answerHeader(attempt),
    customerId,
    printText: formatReceipt(merchant, [['total', input.total], ...taxLine, ...unknownLine, ...pointLines]),
    type: 'sale',
    customerUnknown,
    pointsEarned: earned,
    pointsRepaid: repaid || undefined,
    pointsOwed: owed || undefined,
    overpaid,
    billWasSettled,
    points,
    vouchersIssued,
  };
}

const writeSales = insertRows(sales, [
  'transactionUid',
  'subtotal',
  'discount',
  'serviceCharge',
  'tax',
  'rounding',
  'total',
  'taxIncluded',
  'pointsEarned',
  'closedAt',
  'closesBill',
]);
const writeLines = insertRows(saleLines, [
  'transactionUid',
  'position',
  'plu',
  'name',
  'quantity',
  'unitPrice',
  'amount',
]);
const writePayments = insertRows(salePayments, ['transactionUid', 'position', 'method', 'amount']);

/** Returns the unsent inserts of bills with their lines and payments. Send them after the transactions. */
function insertSales(tx: Tx, done: Done<Sale, SaleOutput>[]) {
  const bills = done.map(({ attempt: { uid, input }, decision }) => ({
    ...input,
    lines: undefined,
    payments: undefined,
    customer: undefined,
    rounding: input.rounding ?? 0,
    taxIncluded: toIncludedTax(input.taxIncluded),
    closedAt: new Date(input.closedAt),
    transactionUid: uid,
    pointsEarned: decision.answer.pointsEarned,
  }));
  const numbered = <T extends object>(of: (input: SaleInput) => T[]) =>
    done.flatMap(({ attempt: { uid, input } }) =>
      of(input).map((one, position) => ({ ...one, position, transactionUid: uid })),
    );
  return [
    writeSales(tx, bills),
    writeLines(
      tx,
      numbered(({ lines }) => lines),
    ),
    writePayments(
      tx,
      numbered(({ payments }) => payments),
    ),
  ];
}
