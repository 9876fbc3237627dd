import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { CampaignScreen } from '@/components/back-office/vouchers/campaign-screen';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('vouchers'))('campaign') };
}

export default async function CampaignPage({ params }: { params: Promise<{ campaignId: string }> }) {
  await requireStaffSession();
  return <CampaignScreen campaignId={(await params).campaignId} />;
}
