import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { NewPackageScreen } from '@/components/back-office/packages/new-package-screen';
import { ManagersOnly } from '@/components/back-office/shell/managers-only';
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
