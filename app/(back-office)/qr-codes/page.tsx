import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { QrCodesScreen } from '@/components/back-office/qr-codes/qr-codes-screen';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('qrCodes'))('title') };
}

export default async function QrCodesPage() {
  await requireStaffSession();
  return <QrCodesScreen />;
}
