import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ManagersOnly } from '@/components/back-office/office/managers-only';
import { NewPackageScreen } from '@/components/back-office/packages/new-package-screen';
import { requireStaffSession } from '@/server/auth/session';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('packages'))('newTitle') };
}

export default async function NewPackagePage() {
  await requireStaffSession();
  return (
    <ManagersOnly>
      <NewPackageScreen />
    </ManagersOnly>
  );
}
