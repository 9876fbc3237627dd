import { and, eq } from 'drizzle-orm';
import { withMerchant } from '@/db/driver';
import { merchantOfCardAccount, purposeOfPayment } from '@/db/query/functions';
import { billPayments, topUpRequests } from '@/db/schema';
import { settleBillPayment } from '../bills';
import { checkCardAccount } from '../card-accounts';
import { followDisputes } from '../disputes';
import type { AccountReport, MerchantPurpose, PaymentReport } from '../kernel/card-payments';
import type { Services } from '../kernel/context';
import { hasLeft, originsOfMoved } from '../merchants';
import { settleTopUp } from '../top-ups';

/**
 * Settles the payment that a report is about, and follows its disputes; or asks how the reported account stands. Does nothing for payments and
 * accounts that are not ours, nor for a report from another account than the payment's. Returns the origin of the cell that now
 * has the merchant, to which the report is to be sent on; null if there is none. Errors: `service_unavailable`, the report is to
 * be repeated.
 */
export async function followReport(services: Services, report: PaymentReport | AccountReport): Promise<string | null> {
  const isOfAccount = 'changedAccountId' in report;
  const subject = isOfAccount ? null : await findSubject(services, report);
  const merchantId = isOfAccount ? await findOwner(services, report) : subject?.merchantId;
  if (merchantId === undefined) return null;
  const [origin] = await originsOfMoved(services, 'merchant', merchantId);
  if (origin !== undefined) return origin;
  // It is settled where the merchant lives: both deployments may hear of it.
  if (await hasLeft(services, merchantId)) return null;
  if (isOfAccount) await checkCardAccount(services, merchantId);
  else if (subject) await followPayment(services, subject, report);
  return null;
}

async function followPayment(
  services: Services,
  subject: MerchantPurpose,
  { accountId, checkoutId, paymentId, isOfDispute }: PaymentReport,
): Promise<void> {
  const { merchantId, purpose } = subject;
  // The owner of a connected account can give its payments any metadata.
  if ((await accountOf(services, subject)) !== accountId) return;
  if (purpose.kind === 'topUp') await settleTopUp(services, { merchantId, topUpRequestId: purpose.id, checkoutId });
  else await settleBillPayment(services, { merchantId, billPaymentId: purpose.id, checkoutId });
  // Afterwards: a top-up is credited before what is left of it is blocked.
  if (isOfDispute && paymentId !== null) await followDisputes(services, subject, { paymentId, accountId });
}

/** Returns the account that a payment is on; null for the operator's own, undefined for an unknown payment. */
async function accountOf(
  { db }: Services,
  { merchantId, purpose }: MerchantPurpose,
): Promise<string | null | undefined> {
  const table = purpose.kind === 'topUp' ? topUpRequests : billPayments;
  const [row] = await withMerchant(db, merchantId, (tx) =>
    tx.db
      .select({ accountId: table.cardAccountId })
      .from(table)
      .where(and(eq(table.merchantId, merchantId), eq(table.id, purpose.id))),
  );
  return row?.accountId;
}

async function findOwner({ db }: Services, { changedAccountId: account }: AccountReport) {
  const { $rows, merchantId } = merchantOfCardAccount({ account });
  const [row] = await db.pool.select({ merchantId }).from($rows);
  return row?.merchantId;
}

/**
 * Finds what a reported payment is for: by the payment's id that we keep, else by what the report says, else by what
 * its checkout says at the payment service. The last is for payments whose id was not kept yet.
 */
async function findSubject(
  { db, cardPayments }: Services,
  { told, paymentId, accountId }: PaymentReport,
): Promise<MerchantPurpose | null> {
  if (paymentId === null) return told;
  const { $rows, ...columns } = purposeOfPayment({ payment: paymentId });
  const [row] = await db.pool.select(columns).from($rows);
  if (row?.topUpRequestId) return { merchantId: row.merchantId, purpose: { kind: 'topUp', id: row.topUpRequestId } };
  if (row?.billPaymentId)
    return { merchantId: row.merchantId, purpose: { kind: 'billPayment', id: row.billPaymentId } };
  return told ?? (await cardPayments?.on(accountId).findPurpose(paymentId)) ?? null;
}
