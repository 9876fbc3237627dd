import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PackageScreen } from '@/components/back-office/packages/package-screen';
import { ManagersOnly } from '@/components/back-office/shell/managers-only';
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
