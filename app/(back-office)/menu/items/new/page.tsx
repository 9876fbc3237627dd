import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { NewItemScreen } from '@/components/back-office/menu/item-screen';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('menu'))('newItem') };
}

export default async function NewItemPage() {
  await requireStaffSession();
  return <NewItemScreen />;
}
