import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ManagersOnly } from '@/components/back-office/office/managers-only';
import { PackageScreen } from '@/components/back-office/packages/package-screen';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('packages'))('package') };
}

export default async function PackagePage({ params }: { params: Promise<{ packageId: string }> }) {
  await requireStaffSession();
  return (
    <ManagersOnly>
      <PackageScreen packageId={(await params).packageId} />
    </ManagersOnly>
  );
}
