import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PackagesScreen } from '@/components/back-office/packages/packages-screen';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('packages'))('title') };
}

export default async function PackagesPage() {
  await requireStaffSession();
  return <PackagesScreen />;
}
