import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ApiKeysScreen } from '@/components/back-office/api-keys/api-keys-screen';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('apiKeys'))('title') };
}

export default async function ApiKeysPage() {
  await requireStaffSession();
  return <ApiKeysScreen />;
}
