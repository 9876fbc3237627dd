import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { CustomerScreen } from '@/components/back-office/customers/customer-screen';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('customers'))('title') };
}

export default async function CustomerPage({ params }: { params: Promise<{ customerId: string }> }) {
  await requireStaffSession();
  return <CustomerScreen customerId={(await params).customerId} />;
}
