import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ApiKeyScreen } from '@/components/back-office/api-keys/api-key-screen';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('apiKeys'))('title') };
}

export default async function ApiKeyPage({ params }: { params: Promise<{ apiKeyId: string }> }) {
  await requireStaffSession();
  return <ApiKeyScreen apiKeyId={(await params).apiKeyId} />;
}
