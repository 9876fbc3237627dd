import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { MessagesScreen } from '@/components/back-office/messages/messages-screen';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('messages'))('title') };
}

export default async function MessagesPage() {
  await requireStaffSession();
  return <MessagesScreen />;
}
