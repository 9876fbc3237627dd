import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { TableCardsScreen } from '@/components/back-office/qr-codes/table-cards-screen';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('qrCodes'))('cardsTitle') };
}

export default async function TableCardsPage() {
  await requireStaffSession();
  return <TableCardsScreen />;
}
