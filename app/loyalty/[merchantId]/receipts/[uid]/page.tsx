import { notFound } from 'next/navigation';
import { AccountReceipt } from '@/components/diner/loyalty/account-receipt';
import { BackToAccount } from '@/components/diner/loyalty/back-to-account';
import { receiptOf } from '@/components/diner/loyalty/receipt-of';
import { ScreenTitle } from '@/components/diner/loyalty/screen-title';
import { getReceipt, receiptInput } from '@/server/domain/diners';
import { DomainError } from '@/server/domain/kernel/errors';
import { getBusiness } from '@/server/domain/merchants';
import { loadCustomer } from '../../load-visit';

/** The receipt of one of the customer's transactions. */
export default async function ReceiptPage({ params }: { params: Promise<{ merchantId: string; uid: string }> }) {
  const { merchantId, uid } = await params;
  const { services, merchant, diner, speech } = await loadCustomer(merchantId);
  const { data: input } = receiptInput.safeParse({ uid });
  if (!input) notFound();
  const [receipt, { logoId }] = await Promise.all([
    getReceipt(services, diner, { ...input, language: speech.language }).catch((error) => {
      if (error instanceof DomainError) notFound();
      throw error;
    }),
    getBusiness(services, merchant.id),
  ]);
  return (
    <div className="space-y-6">
      <BackToAccount className="-mt-4" />
      <ScreenTitle>{speech.words.receipt}</ScreenTitle>
      <AccountReceipt content={receiptOf(merchant.name, receipt, speech)} logoId={logoId} />
    </div>
  );
}
