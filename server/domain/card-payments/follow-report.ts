import { purposeOfPayment } from '@/db/query/functions';
import { settleBillPayment } from '../bills';
import { followDisputes } from '../disputes';
import type { MerchantPurpose, PaymentReport } from '../kernel/card-payments';
import type { Services } from '../kernel/context';
import { hasLeft, originsOfMoved } from '../merchants';
import { settleTopUp } from '../top-ups';

/**
 * Settles the payment that a report is about, and follows its disputes. Does nothing for payments that are not ours. Returns the origin of the
 * cell that now has the merchant, to which the report is to be sent on; null if there is none. Errors:
 * `service_unavailable`, the report is to be repeated.
 */
export async function followReport(services: Services, report: PaymentReport): Promise<string | null> {
  const subject = await findSubject(services, report);
  if (!subject) return null;
  const { merchantId, purpose } = subject;
  const [origin] = await originsOfMoved(services, 'merchant', merchantId);
  if (origin !== undefined) return origin;
  // It is settled where the merchant lives: both deployments may hear of it.
  if (await hasLeft(services, merchantId)) return null;
  const { checkoutId } = report;
  if (purpose.kind === 'topUp') await settleTopUp(services, { merchantId, topUpRequestId: purpose.id, checkoutId });
  else await settleBillPayment(services, { merchantId, billPaymentId: purpose.id, checkoutId });
  // Afterwards: a top-up is credited before what is left of it is blocked.
  if (report.isOfDispute && report.paymentId !== null) await followDisputes(services, subject, report.paymentId);
  return null;
}

/**
 * Finds what a reported payment is for: by the payment's id that we keep, else by what the report says, else by what
 * its checkout says at the payment service. The last is for payments whose id was not kept yet.
 */
async function findSubject(
  { db, cardPayments }: Services,
  { told, paymentId }: PaymentReport,
): Promise<MerchantPurpose | null> {
  if (paymentId === null) return told;
  const { $rows, ...columns } = purposeOfPayment({ payment: paymentId });
  const [row] = await db.pool.select(columns).from($rows);
  if (row?.topUpRequestId) return { merchantId: row.merchantId, purpose: { kind: 'topUp', id: row.topUpRequestId } };
  if (row?.billPaymentId)
    return { merchantId: row.merchantId, purpose: { kind: 'billPayment', id: row.billPaymentId } };
  return told ?? (await cardPayments?.findPurpose(paymentId)) ?? null;
}
