import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { WebhooksScreen } from '@/components/back-office/webhooks/webhooks-screen';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('webhooks'))('title') };
}

export default async function WebhooksPage() {
  await requireStaffSession();
  return <WebhooksScreen />;
}
