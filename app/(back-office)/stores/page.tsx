import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { StoresScreen } from '@/components/back-office/stores/stores-screen';
import { requireStaffSession } from '@/server/auth/session';
import { FirstData } from '../first-data';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('stores'))('title') };
}

export default async function StoresPage() {
  await requireStaffSession();
  return (
    <FirstData load={(cache, trpc) => [cache.prefetchQuery(trpc.stores.list.queryOptions())]}>
      <StoresScreen />
    </FirstData>
  );
}
