import type { ReactNode } from 'react';
import { OfficeHeader } from '@/components/back-office/office-header';
import { requireStaffSession } from '@/server/auth/session';

export default async function BackOfficeLayout({ children }: { children: ReactNode }) {
  const session = await requireStaffSession();
  return (
    <>
      <OfficeHeader merchantName={session.memberships[0]?.merchantName ?? null} />
      <main id="content" className="mx-auto w-full max-w-6xl flex-1 px-5 pt-24 pb-24 sm:px-8 sm:pt-12">
        {children}
      </main>
    </>
  );
}
