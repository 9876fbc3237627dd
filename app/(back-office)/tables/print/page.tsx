import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { FloorCardsScreen } from '@/components/back-office/tables/floor-cards-screen';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('tables'))('cardsTitle') };
}

export default async function FloorCardsPage() {
  await requireStaffSession();
  return <FloorCardsScreen />;
}
