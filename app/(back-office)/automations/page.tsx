import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { AutomationsScreen } from '@/components/back-office/automations/automations-screen';
import { requireStaffSession } from '@/server/auth/session';
import { FirstData } from '../first-data';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('automations'))('title') };
}

export default async function AutomationsPage() {
  await requireStaffSession();
  return (
    <FirstData load={(cache, trpc) => [cache.prefetchQuery(trpc.automations.list.queryOptions())]}>
      <AutomationsScreen />
    </FirstData>
  );
}
