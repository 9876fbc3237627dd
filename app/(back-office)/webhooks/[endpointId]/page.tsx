import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { WebhookScreen } from '@/components/back-office/webhooks/webhook-screen';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('webhooks'))('title') };
}

export default async function WebhookPage({ params }: { params: Promise<{ endpointId: string }> }) {
  await requireStaffSession();
  return <WebhookScreen endpointId={(await params).endpointId} />;
}
