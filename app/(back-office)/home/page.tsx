import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { HomeScreen } from '@/components/back-office/home/home-screen';
import { requireStaffSession } from '@/server/auth/session';
import { FirstData } from '../first-data';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('home'))('title') };
}

export default async function HomePage() {
  await requireStaffSession();
  return (
    <FirstData
      load={(cache, trpc) => [
        cache.prefetchQuery(trpc.home.figures.queryOptions()),
        cache.prefetchQuery(trpc.home.attention.queryOptions()),
      ]}
    >
      <HomeScreen />
    </FirstData>
  );
}
