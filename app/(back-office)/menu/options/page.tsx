import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { OptionGroupsScreen } from '@/components/back-office/menu/option-groups-screen';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('menu'))('optionGroups') };
}

export default async function OptionGroupsPage() {
  await requireStaffSession();
  return <OptionGroupsScreen />;
}
