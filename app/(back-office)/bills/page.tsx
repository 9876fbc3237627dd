import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { BillsScreen } from '@/components/back-office/bills/bills-screen';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('bills'))('title') };
}

export default async function BillsPage() {
  await requireStaffSession();
  return <BillsScreen />;
}
