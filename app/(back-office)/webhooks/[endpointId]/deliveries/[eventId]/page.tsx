import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { DeliveryScreen } from '@/components/back-office/webhooks/delivery-screen';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('webhooks'))('delivery') };
}

export default async function DeliveryPage({ params }: { params: Promise<{ endpointId: string; eventId: string }> }) {
  await requireStaffSession();
  return <DeliveryScreen {...(await params)} />;
}
