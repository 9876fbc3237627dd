import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { OrdersScreen } from '@/components/back-office/orders/orders-screen';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('orders'))('title') };
}

export default async function OrdersPage() {
  await requireStaffSession();
  return <OrdersScreen />;
}
