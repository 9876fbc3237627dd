import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { TransactionsScreen } from '@/components/back-office/transactions/transactions-screen';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('transactions'))('title') };
}

export default async function TransactionsPage() {
  await requireStaffSession();
  return <TransactionsScreen />;
}
