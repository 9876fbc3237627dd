import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { StaffScreen } from '@/components/back-office/staff/staff-screen';
import { requireStaffSession } from '@/server/auth/session';
import { FirstData } from '../first-data';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('staff'))('title') };
}

export default async function StaffPage() {
  await requireStaffSession();
  return (
    <FirstData load={(cache, trpc) => [cache.prefetchQuery(trpc.staff.list.queryOptions())]}>
      <StaffScreen />
    </FirstData>
  );
}
