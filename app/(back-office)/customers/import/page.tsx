import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ImportsScreen } from '@/components/back-office/customer-imports/imports-screen';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('customers'))('import') };
}

export default async function CustomerImportsPage() {
  await requireStaffSession();
  return <ImportsScreen />;
}
