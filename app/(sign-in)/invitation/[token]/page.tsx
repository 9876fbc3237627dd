import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { getFormatter, getTranslations } from 'next-intl/server';
import { JoinAsNewStaff, JoinAsStaff } from '@/components/sign-in/join-forms';
import { SignInCard } from '@/components/sign-in/sign-in-card';
import { SignInForm } from '@/components/sign-in/sign-in-form';
import { ButtonLink } from '@/components/ui/button';
import { getStaffSession } from '@/server/auth/session';
import { findInvitation } from '@/server/domain/access';
import { hashToken } from '@/server/domain/kernel/secrets';
import { originsOfMoved } from '@/server/domain/merchants';
import { getServices } from '@/server/environment/services';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('staff'))('invitations') };
}

interface InvitationPageProps {
  params: Promise<{ token: string }>;
}

/** Opening the page does not use up the link: mail filters follow links. */
export default async function InvitationPage({ params }: InvitationPageProps) {
  const { token } = await params;
  const t = await getTranslations('signIn');
  const [invitation, person] = await Promise.all([findInvitation(getServices(), token), getStaffSession()]);
  if (!invitation) {
    const [origin] = await originsOfMoved(getServices(), 'invitation', hashToken(token));
    if (origin) redirect(`${origin}/invitation/${token}`);
    return (
      <SignInCard title={t('linkOverTitle')} lead={t('invitationOverText')}>
        <ButtonLink href="/sign-in" variant="secondary">
          {t('back')}
        </ButtonLink>
      </SignInCard>
    );
  }
  const { email, role, merchantName, hasAccount, storeNames } = invitation;
  const { list } = await getFormatter();
  const isTheirs = person?.email === email;
  const what =
    person && !isTheirs
      ? t('invitationOther', { email: person.email })
      : t('invitationLead', {
          role,
          isOfStores: String(storeNames.length > 0),
          stores: list(storeNames),
        });
  const how = hasAccount ? t('invitationSignIn', { email }) : t('invitationNew', { email });
  return (
    <SignInCard title={t('invitationTitle', { merchant: merchantName })} lead={isTheirs ? what : `${what} ${how}`}>
      {isTheirs ? <JoinAsStaff token={token} /> : null}
      {!isTheirs && hasAccount ? <SignInForm email={email} callbackPath={`/invitation/${token}`} /> : null}
      {!hasAccount ? <JoinAsNewStaff token={token} email={email} /> : null}
    </SignInCard>
  );
}
