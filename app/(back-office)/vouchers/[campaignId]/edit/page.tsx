import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ManagersOnly } from '@/components/back-office/office/managers-only';
import { EditCampaignScreen } from '@/components/back-office/vouchers/edit-campaign-screen';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('vouchers'))('editTitle') };
}

export default async function EditCampaignPage({ params }: { params: Promise<{ campaignId: string }> }) {
  await requireStaffSession();
  return (
    <ManagersOnly>
      <EditCampaignScreen campaignId={(await params).campaignId} />
    </ManagersOnly>
  );
}
