import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ImportScreen } from '@/components/back-office/customer-imports/import-screen';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('customers'))('import') };
}

export default async function CustomerImportPage({ params }: { params: Promise<{ importId: string }> }) {
  await requireStaffSession();
  return <ImportScreen importId={(await params).importId} />;
}
