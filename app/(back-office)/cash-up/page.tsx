import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { CashUpScreen } from '@/components/back-office/cash-up/cash-up-screen';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('cashUp'))('title') };
}

export default async function CashUpPage() {
  await requireStaffSession();
  return <CashUpScreen />;
}
