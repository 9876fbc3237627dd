import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { StockOutsScreen } from '@/components/back-office/stock-outs/stock-outs-screen';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('stockOuts'))('title') };
}

export default async function StockOutsPage() {
  await requireStaffSession();
  return <StockOutsScreen />;
}
