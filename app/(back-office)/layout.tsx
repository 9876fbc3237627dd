import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { NextIntlClientProvider } from 'next-intl';
import { getTranslations } from 'next-intl/server';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import type { ReactNode } from 'react';
import { ConfirmIdentity } from '@/components/back-office/confirm/confirm-identity';
import { OfficeProvider } from '@/components/back-office/office/office';
import { BackOfficeProvider } from '@/components/back-office/office/trpc';
import { LiveUpdates } from '@/components/back-office/shell/live-updates';
import { OfficeShell } from '@/components/back-office/shell/office-shell';
import { SecondFactorDemanded } from '@/components/back-office/shell/second-factor-demand';
import { SignOutButton } from '@/components/back-office/shell/sign-out-button';
import { NoticePage } from '@/components/site/notice-page';
import { ButtonLink } from '@/components/ui/button';
import { Toasts } from '@/components/ui/toast';
import { currentStaff } from '@/server/auth/current-merchant';
import { requireStaffSession } from '@/server/auth/session';
import { lacksDemandedFactor } from '@/server/domain/access';
import type { StaffContext } from '@/server/domain/kernel/context';
import { listStores, originsOfMoved } from '@/server/domain/merchants';
import { env, hasSandboxInbox } from '@/server/environment/env';
import { getServices } from '@/server/environment/services';
import { officeLanguage } from '@/server/intl/language';
import { addressFromFrontDoor } from '@/server/limits/client-address';

export const metadata: Metadata = { robots: { index: false } };

export default async function BackOfficeLayout({ children }: { children: ReactNode }) {
  const session = await requireStaffSession();
  const ctx = await currentStaff();
  if (!ctx) return <NoMerchant {...session} />;

  const { id, name, currency, country, timeZone, dayStartsAt, locale } = ctx.merchant;
  const { name: staffName, email, role, secondFactorFrom } = ctx.staff;
  const isSandbox = ctx.environment === 'sandbox';
  const clockAheadSeconds = isSandbox ? ctx.merchant.clockAheadSeconds : 0;
  const facts = {
    merchant: { id, name, currency, country, timeZone, dayStartsAt, locale, clockAheadSeconds },
    person: {
      name: staffName,
      email,
      role,
      secondFactorFrom: secondFactorFrom?.toISOString() ?? null,
      worksEverywhere: ctx.staff.storeIds === null,
      storeNames: await namesOfOwnStores(ctx),
    },
    memberships: session.memberships.map(({ merchantId, merchantName }) => ({ merchantId, merchantName })),
    isAdmitted: !lacksDemandedFactor(ctx),
    isSandbox,
    hasSandboxInbox: hasSandboxInbox(env(), addressFromFrontDoor((await headers()).get('x-forwarded-for'))),
  };
  return (
    // The reader's language, with the merchant's country for dates and numbers.
    <NextIntlClientProvider locale={`${await officeLanguage()}-${country}`} timeZone={timeZone}>
      <NuqsAdapter>
        <OfficeProvider facts={facts}>
          <BackOfficeProvider>
            <Toasts>
              <ConfirmIdentity />
              {facts.isAdmitted ? (
                <>
                  <LiveUpdates />
                  <OfficeShell>{children}</OfficeShell>
                </>
              ) : (
                <SecondFactorDemanded>{children}</SecondFactorDemanded>
              )}
            </Toasts>
          </BackOfficeProvider>
        </OfficeProvider>
      </NuqsAdapter>
    </NextIntlClientProvider>
  );
}

async function namesOfOwnStores(ctx: StaffContext): Promise<string[]> {
  if (ctx.staff.storeIds === null) return [];
  const { stores } = await listStores(ctx);
  return stores.filter(({ closedAt }) => closedAt === null).map(({ name }) => name);
}

async function NoMerchant({ userId, email }: { userId: string; email: string }) {
  const t = await getTranslations('shell');
  const origins = await originsOfMoved(getServices(), 'member', userId);
  if (origins.length > 0) {
    return (
      <NoticePage
        title={t('movedTitle')}
        actions={origins.map((origin) => (
          <ButtonLink key={origin} href={`${origin}/sign-in`}>
            {t('movedLink', { host: new URL(origin).host })}
          </ButtonLink>
        ))}
      >
        {t('movedText', { email })}
      </NoticePage>
    );
  }
  return (
    <NoticePage
      title={t('noMerchantTitle')}
      actions={<SignOutButton label={t('signOut')} failure={t('stillSignedIn')} />}
    >
      {t('noMerchantText', { email })}
    </NoticePage>
  );
}
