import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { TemplatesScreen } from '@/components/back-office/messages/templates-screen';
import { ManagersOnly } from '@/components/back-office/office/managers-only';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('messages'))('templates') };
}

export default async function TemplatesPage() {
  await requireStaffSession();
  return (
    <ManagersOnly>
      <TemplatesScreen />
    </ManagersOnly>
  );
}
