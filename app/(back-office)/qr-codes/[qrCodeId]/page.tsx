import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { QrCodeScreen } from '@/components/back-office/qr-codes/qr-code-screen';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('qrCodes'))('title') };
}

export default async function QrCodePage({ params }: { params: Promise<{ qrCodeId: string }> }) {
  await requireStaffSession();
  return <QrCodeScreen qrCodeId={(await params).qrCodeId} />;
}
