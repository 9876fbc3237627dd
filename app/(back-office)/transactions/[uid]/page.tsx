import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { TransactionScreen } from '@/components/back-office/transactions/transaction-screen';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('transactions'))('transaction') };
}

export default async function TransactionPage({ params }: { params: Promise<{ uid: string }> }) {
  await requireStaffSession();
  const { uid } = await params;
  return <TransactionScreen uid={uid} />;
}
