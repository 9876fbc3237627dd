import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { OtherAccount, SecondStepForm } from '@/components/sign-in/second-step-form';
import { footLinkLook, SignInCard } from '@/components/sign-in/sign-in-card';
import { SignInForm } from '@/components/sign-in/sign-in-form';
import { Alert } from '@/components/ui/alert';
import { callbackPath } from '@/server/auth/callback-path';
import { getWaitingSession, hasSessionCookie, isSignedIn } from '@/server/auth/session';
import { env } from '@/server/environment/env';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('signIn'))('title') };
}

interface SignInPageProps {
  searchParams: Promise<{ callbackUrl?: string | string[] }>;
}

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const path = callbackPath((await searchParams).callbackUrl, env().PUBLIC_ORIGIN);
  if (await isSignedIn()) redirect(path);
  // Without the database, the page still opens. An error appears once the form is sent.
  const waiting = await getWaitingSession().catch(() => undefined);
  if (waiting) return <SecondStep {...waiting} callbackPath={path} />;
  const hasEnded = waiting === null && (await hasSessionCookie());
  const t = await getTranslations('signIn');
  return (
    <SignInCard
      title={t('heading')}
      lead={t('lead')}
      foot={
        <p>
          {t('apiQuestion')}{' '}
          <a href="/docs" className={footLinkLook}>
            {t('apiLink')}
          </a>
          {t('apiRest')}
        </p>
      }
    >
      {hasEnded ? (
        <div className="mb-5">
          <Alert tone="caution" title={t('endedTitle')}>
            {t('ended')}
          </Alert>
        </div>
      ) : null}
      <SignInForm callbackPath={path} />
      <p className="mt-5 text-sm">
        <a href="/reset-password" className={footLinkLook}>
          {t('forgot')}
        </a>
      </p>
    </SignInCard>
  );
}

interface SecondStepProps {
  email: string;
  hasApp: boolean;
  hasPasskey: boolean;
  callbackPath: string;
}

async function SecondStep({ email, hasApp, hasPasskey, callbackPath }: SecondStepProps) {
  const t = await getTranslations('secondFactors');
  return (
    <SignInCard
      title={t('confirmTitle')}
      lead={t('stepLead', { email })}
      foot={
        <>
          <p className="mb-3">{t('lostBoth')}</p>
          <OtherAccount />
        </>
      }
    >
      <SecondStepForm callbackPath={callbackPath} hasApp={hasApp} hasPasskey={hasPasskey} />
    </SignInCard>
  );
}
