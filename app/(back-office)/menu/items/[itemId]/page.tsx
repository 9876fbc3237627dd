import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ItemScreen } from '@/components/back-office/menu/item-screen';
import { requireStaffSession } from '@/server/auth/session';

interface ItemPageProps {
  params: Promise<{ itemId: string }>;
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('menu'))('item') };
}

export default async function ItemPage({ params }: ItemPageProps) {
  await requireStaffSession();
  return <ItemScreen {...(await params)} />;
}
