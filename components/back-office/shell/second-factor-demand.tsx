'use client';

import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Link } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { SecondFactors } from '../account/second-factors';
import { useOffice } from '../office/office';
import { useFormat } from '../state/format';
import { AccountMenu } from './account-menu';

/** Asks for the second factor that the merchant will soon demand. */
export function SecondFactorBanner() {
  const t = useTranslations('secondFactors');
  const format = useFormat();
  const { merchant, person } = useOffice();
  if (!person.secondFactorFrom) return null;
  return (
    <p role="status" className="mb-6 rounded-xl bg-caution-tint px-4 py-3 text-sm text-caution print:hidden">
      {t('demandBanner', { merchant: merchant.name, date: format.dateTime(person.secondFactorFrom) })}{' '}
      <Link href="/account" className="font-medium underline underline-offset-4">
        {t('setUpNow')}
      </Link>
    </p>
  );
}

/**
 * What a person sees of a merchant that demands a second factor which they lack. Only their account stays available.
 */
export function SecondFactorDemanded({ children }: { children: ReactNode }) {
  const t = useTranslations('secondFactors');
  const { merchant } = useOffice();
  const isAccount = usePathname() === '/account';
  return (
    <main id="content" className="mx-auto flex w-full max-w-2xl flex-1 flex-col gap-6 px-4 py-10">
      {isAccount ? (
        <div>{children}</div>
      ) : (
        <>
          <PageHeader title={t('demandedTitle')} description={t('demandedText', { merchant: merchant.name })} />
          <SecondFactors />
        </>
      )}
      <div className="max-w-xs">
        <AccountMenu />
      </div>
    </main>
  );
}
