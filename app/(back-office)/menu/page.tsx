import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { MenuScreen } from '@/components/back-office/menu/menu-screen';
import { requireStaffSession } from '@/server/auth/session';
import { FirstData } from '../first-data';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('menu'))('title') };
}

export default async function MenuPage() {
  await requireStaffSession();
  return (
    <FirstData load={(cache, trpc) => [cache.prefetchQuery(trpc.menu.categories.queryOptions())]}>
      <MenuScreen />
    </FirstData>
  );
}
