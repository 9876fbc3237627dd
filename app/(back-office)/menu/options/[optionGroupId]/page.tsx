import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { OptionGroupScreen } from '@/components/back-office/menu/option-group-screen';
import { requireStaffSession } from '@/server/auth/session';

interface OptionGroupPageProps {
  params: Promise<{ optionGroupId: string }>;
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('menu'))('optionGroups') };
}

export default async function OptionGroupPage({ params }: OptionGroupPageProps) {
  await requireStaffSession();
  return <OptionGroupScreen {...(await params)} />;
}
