import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { CustomersScreen } from '@/components/back-office/customers/customers-screen';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('customers'))('title') };
}

export default async function CustomersPage() {
  await requireStaffSession();
  return <CustomersScreen />;
}
