import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { brandSheetPath } from '@/components/diner/brand-sheet';
import { AccountHeader } from '@/components/diner/loyalty/account-header';
import { LoyaltyProvider } from '@/components/diner/loyalty/loyalty-context';
import { TableFooter } from '@/components/diner/ordering/table-footer';
import { fillText } from '@/components/diner/words';
import { getBusiness } from '@/server/domain/merchants';
import { getServices } from '@/server/environment/services';
import { findVisit } from './load-visit';

interface LoyaltyLayoutProps {
  params: Promise<{ merchantId: string }>;
  children: ReactNode;
}

export async function generateMetadata({ params }: LoyaltyLayoutProps): Promise<Metadata> {
  const { merchant, words } = await findVisit((await params).merchantId);
  const title = merchant ? fillText(words.accountWith, { merchant: merchant.name }) : words.notFoundTitle;
  return {
    title: { absolute: title },
    robots: { index: false, follow: false },
    referrer: 'no-referrer',
    description: null,
  };
}

/** A diner's account with a merchant; independent of any table or bill. */
export default async function LoyaltyLayout({ params, children }: LoyaltyLayoutProps) {
  const { merchant, language, words } = await findVisit((await params).merchantId);
  if (!merchant) return children;
  const { id, name, locale, currency, timeZone, dayStartsAt } = merchant;
  const { logoId, accentColour } = await getBusiness(getServices(), id);
  return (
    <LoyaltyProvider
      merchant={{ id, name, locale, currency, timeZone, dayStartsAt }}
      language={language}
      words={words}
      hasNoMessenger={getServices().messenger === 'inbox'}
    >
      {accentColour ? <link rel="stylesheet" href={brandSheetPath(accentColour)} precedence="brand" /> : null}
      <AccountHeader logoId={logoId} />
      <main id="content" className="mx-auto w-full max-w-2xl flex-1 px-5 pt-8 pb-16 sm:px-8">
        {children}
      </main>
      <TableFooter width="max-w-2xl" />
    </LoyaltyProvider>
  );
}
