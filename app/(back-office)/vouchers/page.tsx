import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { CampaignsScreen } from '@/components/back-office/vouchers/campaigns-screen';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('vouchers'))('title') };
}

export default async function CampaignsPage() {
  await requireStaffSession();
  return <CampaignsScreen />;
}
