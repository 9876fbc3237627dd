import { notFound } from 'next/navigation';
import { topUpWords } from '@/components/diner/dictionaries';
import { TopUpStatus } from '@/components/diner/loyalty/top-up/top-up-status';
import { DomainError } from '@/server/domain/kernel/errors';
import { getTopUpRequest, topUpRequestIdInput } from '@/server/domain/top-ups';
import { loadCustomer } from '../../load-visit';

interface TopUpRequestPageProps {
  params: Promise<{ merchantId: string; topUpRequestId: string }>;
  searchParams: Promise<{ back?: string }>;
}

/** A started top-up: what to do next, or its result. Stripe redirects payers here. */
export default async function TopUpRequestPage({ params, searchParams }: TopUpRequestPageProps) {
  const { merchantId, topUpRequestId } = await params;
  const { services, merchant, diner, speech } = await loadCustomer(merchantId);
  const { data: input } = topUpRequestIdInput.safeParse({ topUpRequestId });
  if (!input) notFound();
  const ctx = { ...services, merchant, customerId: diner.customerId };
  const topUp = await getTopUpRequest(ctx, input).catch((error) => {
    if (error instanceof DomainError) notFound();
    throw error;
  });
  const hasReturned = (await searchParams).back === 'paid';
  return <TopUpStatus words={topUpWords[speech.language]} first={topUp} hasReturned={hasReturned} />;
}
