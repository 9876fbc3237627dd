import type { Metadata } from 'next';
import { PinSetting } from '@/components/back-office/pin-setting';
import { BackOfficeProvider } from '@/components/back-office/trpc';
import { requireStaffSession } from '@/server/auth/session';

export const metadata: Metadata = { title: 'Settings' };

export default async function SettingsPage() {
  await requireStaffSession();
  return (
    <>
      <h1 className="text-4xl/tight font-semibold tracking-[-0.03em]">Settings</h1>
      <section aria-labelledby="redemption" className="mt-10">
        <h2 id="redemption" className="mb-5 text-xl font-semibold tracking-tight">
          Redemption
        </h2>
        <BackOfficeProvider>
          <PinSetting />
        </BackOfficeProvider>
      </section>
    </>
  );
}
