import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ImportScreen } from '@/components/back-office/menu/import-screen';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('menu'))('importTitle') };
}

export default async function ImportPage() {
  await requireStaffSession();
  return <ImportScreen />;
}
