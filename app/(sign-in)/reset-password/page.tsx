import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { getTranslations } from 'next-intl/server';
import { ResetRequestForm } from '@/components/sign-in/reset-request-form';
import { footLinkLook, SignInCard } from '@/components/sign-in/sign-in-card';
import { env, hasSandboxInbox } from '@/server/environment/env';
import { addressFromFrontDoor } from '@/server/limits/client-address';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('signIn'))('resetTitle') };
}

export default async function ResetPasswordPage() {
  const t = await getTranslations('signIn');
  const client = addressFromFrontDoor((await headers()).get('x-forwarded-for'));
  return (
    <SignInCard
      title={t('resetTitle')}
      lead={t('resetLead')}
      foot={
        <>
          <a href="/sign-in" className={footLinkLook}>
            {t('back')}
          </a>
          {hasSandboxInbox(env(), client) ? (
            <p className="mt-3">
              {t('sandboxNote')}{' '}
              <a href="/sandbox-inbox" className={footLinkLook}>
                {t('sandboxLink')}
              </a>
            </p>
          ) : null}
        </>
      }
    >
      <ResetRequestForm />
    </SignInCard>
  );
}
