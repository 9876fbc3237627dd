import { type Tx, withMerchant } from '@/db/client';
import { insertRows } from '@/db/expressions';
import { saleLines, salePayments, sales } from '@/db/schema';
import { endOfMonthAfter } from '../core/calendar';
import type { PosContext } from '../core/context';
import { DomainError, type Issue } from '../core/errors';
import { newId } from '../core/ids';
import { receipt } from '../core/receipt';
import { say } from '../core/say';
import { enrolFromSale } from '../customers/enrol';
import { customerNotFound } from '../customers/locate';
import { type Account, openAccounts } from '../ledger/account';
import type { Patience } from '../ledger/balance';
import type { NewLot } from '../ledger/post';
import { pointsBalance, pointsEarned } from '../points/rules';
import { answerHeader } from '../transactions/answer';
import { answerOfOne, byCustomer, inGroups } from '../transactions/group';
import { type Attempt, oneOutcome } from '../transactions/outcome';
import { carryOut, type Done, type Recorded } from '../transactions/record';
import type { Voucher } from '../vouchers/schemas';
import type { SaleInput, SaleOutput } from './schemas';

/**
 * Keeps a settled bill, and credits the customer's points from the time at the till (specification, section 4.2: Submit
 * Sales). Where the merchant says so, an unknown phone number or e-mail address becomes a customer.
 * Errors, beside those of every transaction: `totals_mismatch`.
 */
export async function submitSale(ctx: PosContext, input: SaleInput): Promise<SaleOutput> {
  checkTotals(input);
  const canEnrol = ctx.merchant.enrolOnSale && input.customer !== undefined && input.customer.customerId === undefined;
  return oneOutcome(ctx, { type: 'sale', input, allowsUnknownCustomer: canEnrol }, (attempt) => keep(attempt, input));
}

/** Errors: `totals_mismatch` with an issue for each sum that is off. */
function checkTotals(input: SaleInput): void {
  const { subtotal, discount, serviceCharge, tax, rounding = 0, total } = input;
  const issues: Issue[] = [];
  const expected = subtotal - discount + serviceCharge + tax + rounding;
  if (expected !== total) {
    issues.push({
      path: 'total',
      sentence: say('totalMismatch', { total, expected }),
    });
  }
  const paid = input.payments.reduce((sum, { amount }) => sum + amount, 0);
  if (paid !== total) issues.push({ path: 'payments', sentence: say('paymentsMismatch', { paid, total }) });
  if (issues.length === 0) return;
  throw new DomainError('totals_mismatch', say('totalsMismatch'), { expectedTotal: expected, paid }, issues);
}

async function keep(attempt: Attempt, input: SaleInput): Promise<SaleOutput> {
  const { ctx } = attempt;
  const { customer } = input;
  if (!customer || attempt.customerId !== null) return keepInGroup({ attempt, input, vouchersIssued: [] });
  return withMerchant(ctx.db, ctx.merchant.id, async (tx) => {
    const enrolled = await enrolFromSale(tx, ctx, customer, attempt);
    if (!enrolled) throw customerNotFound();
    const { customerId, vouchersIssued } = enrolled;
    return answerOfOne(await keepSales(tx, [{ attempt: { ...attempt, customerId }, input, vouchersIssued }], 'wait'));
  });
}

interface Sale {
  attempt: Attempt;
  input: SaleInput;
  /** To a customer whom the sale enrolled. */
  vouchersIssued: Voucher[];
}

const keepInGroup = inGroups<Sale, SaleOutput>(byCustomer, keepSales);

async function keepSales(tx: Tx, sales: Sale[], patience: Patience): Promise<(SaleOutput | Error)[]> {
  const attempts = sales.map(({ attempt }) => attempt);
  const accounts = await openAccounts(tx, attempts, { patience, spend: 'nothing' });
  const { answers, done } = carryOut(tx, sales, accounts, credit);
  tx.send(...insertSales(tx, done));
  return answers;
}

function credit({ attempt, input, vouchersIssued }: Sale, account: Account): Recorded<SaleOutput> {
  const { merchant } = attempt.ctx;
  if (attempt.customerId === null) {
    return { amount: input.total, answer: answerOf(attempt, input, { earned: 0, points: null, vouchersIssued }) };
  }
  const earned = pointsEarned(merchant, input.subtotal - input.discount, account.points);
  const expiresAt = expiryOf(attempt);
  // What a late sale earned may be past its time already: it is written, and never counted.
  const isUsable = expiresAt === null || expiresAt > attempt.now;
  const points = pointsBalance(account.spendable.points + (isUsable ? earned : 0), merchant);
  const lots: NewLot[] = earned > 0 ? [{ id: newId(), part: 'points', amount: earned, expiresAt }] : [];
  return { amount: input.total, answer: answerOf(attempt, input, { earned, points, vouchersIssued }), lots };
}

function expiryOf({ ctx: { merchant }, occurredAt }: Attempt): Date | null {
  if (merchant.pointsExpiryMonths === null) return null;
  return endOfMonthAfter(occurredAt, merchant.pointsExpiryMonths, merchant.timeZone);
}

function answerOf(
  attempt: Attempt,
  input: SaleInput,
  { earned, points, vouchersIssued }: { earned: number; points: SaleOutput['points']; vouchersIssued: Voucher[] },
): SaleOutput {
  const { merchant } = attempt.ctx;
  const pointLines =
    points === null
      ? []
      : ([
          ['pointsEarned', String(earned)],
          ['points', String(points.balance)],
        ] as const);
  return {
    ...answerHeader(attempt),
    customerId: attempt.customerId,
    printText: receipt(merchant, [['total', input.total], ...pointLines]),
    type: 'sale',
    pointsEarned: earned,
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
  'pointsEarned',
  'closedAt',
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

/** The bills, their lines and their payments: unsent, for behind the transactions. */
function insertSales(tx: Tx, done: Done<Sale, SaleOutput>[]) {
  if (done.length === 0) return [];
  const bills = done.map(({ member: { attempt, input }, recorded }) => ({
    ...input,
    lines: undefined,
    payments: undefined,
    customer: undefined,
    rounding: input.rounding ?? 0,
    closedAt: new Date(input.closedAt),
    transactionUid: attempt.uid,
    pointsEarned: recorded.answer.pointsEarned,
  }));
  const numbered = <T extends object>(of: (input: SaleInput) => T[]) =>
    done.flatMap(({ member: { attempt, input } }) =>
      of(input).map((one, position) => ({ ...one, position, transactionUid: attempt.uid })),
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
