import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { TablesScreen } from '@/components/back-office/tables/tables-screen';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('tables'))('title') };
}

export default async function TablesPage() {
  await requireStaffSession();
  return <TablesScreen />;
}
