import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ManagersOnly } from '@/components/back-office/office/managers-only';
import { NewCampaignScreen } from '@/components/back-office/vouchers/new-campaign-screen';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('vouchers'))('newTitle') };
}

export default async function NewCampaignPage() {
  await requireStaffSession();
  return (
    <ManagersOnly>
      <NewCampaignScreen />
    </ManagersOnly>
  );
}
