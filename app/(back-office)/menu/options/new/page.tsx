import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { NewOptionGroupScreen } from '@/components/back-office/menu/option-group-screen';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('menu'))('newOptionGroup') };
}

export default async function NewOptionGroupPage() {
  await requireStaffSession();
  return <NewOptionGroupScreen />;
}
