import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { NewPasswordForm } from '@/components/sign-in/new-password-form';
import { footLinkLook, SignInCard } from '@/components/sign-in/sign-in-card';
import { ButtonLink } from '@/components/ui/button';
import { findPasswordReset } from '@/server/domain/access';
import { getServices } from '@/server/environment/services';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('signIn'))('chooseTitle') };
}

interface NewPasswordPageProps {
  params: Promise<{ token: string }>;
}

/** Opening the page does not use up the link: mail filters follow links. */
export default async function NewPasswordPage({ params }: NewPasswordPageProps) {
  const { token } = await params;
  const t = await getTranslations('signIn');
  const reset = await findPasswordReset(getServices(), token);
  if (!reset) {
    return (
      <SignInCard title={t('linkOverTitle')} lead={t('resetOverText')}>
        <ButtonLink href="/reset-password">{t('newLink')}</ButtonLink>
      </SignInCard>
    );
  }
  return (
    <SignInCard
      title={t('chooseTitle')}
      lead={t('chooseLead', { email: reset.email })}
      foot={
        <a href="/sign-in" className={footLinkLook}>
          {t('back')}
        </a>
      }
    >
      <NewPasswordForm token={token} email={reset.email} />
    </SignInCard>
  );
}
