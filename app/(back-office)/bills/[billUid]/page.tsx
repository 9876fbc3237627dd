import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { BillScreen } from '@/components/back-office/bills/bill-screen';
import { requireStaffSession } from '@/server/auth/session';

interface PageProps {
  params: Promise<{ billUid: string }>;
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('bills'))('title') };
}

export default async function BillPage({ params }: PageProps) {
  await requireStaffSession();
  const { billUid } = await params;
  return <BillScreen billUid={billUid} />;
}
