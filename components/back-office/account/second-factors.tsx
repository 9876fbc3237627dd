'use client';

import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { accountClient } from '../../calls/account-client';
import { secondFactorsQuery } from '../../calls/second-factors-query';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { Section } from '../../ui/section';
import { useToast } from '../../ui/toast';
import { useFormat } from '../state/format';
import { Loaded } from '../state/loaded';
import { Factor, type Factors, LastOne, useFactorChange, useReloadFactors } from './factor';
import { AddPasskey, PasskeyRow } from './passkeys';
import { RecoveryCodesDialog } from './recovery-codes-dialog';
import { type AuthenticatorSetup, SetUpAuthenticator } from './set-up-authenticator';

/** The person's second factors, which can be added and removed. */
export function SecondFactors() {
  const t = useTranslations('secondFactors');
  const query = useQuery(secondFactorsQuery);
  const router = useRouter();
  const [codes, setCodes] = useState<string[]>([]);
  const toast = useToast();
  const [isFirst, setFirst] = useState(false);
  /** The first factor comes with recovery codes. Later ones come with none. */
  const onFirstCodes = (first: string[]) => {
    setCodes(first);
    setFirst(first.length > 0);
  };
  return (
    <Section title={t('title')} description={t('text')}>
      <Loaded query={query} height="h-24">
        {(factors) => (
          <ul className="divide-y divide-line rounded-xl border border-line">
            {factors.authenticator || factors.passkeys.length > 0 ? null : (
              <li className="p-4 text-sm text-muted">{t('firstEnds')}</li>
            )}
            <Factor title={t('passkeys')} facts={[t('passkeysText')]}>
              <AddPasskey onCodes={onFirstCodes} />
            </Factor>
            {factors.passkeys.map((passkey) => (
              <PasskeyRow key={passkey.passkeyId} passkey={passkey} factors={factors} />
            ))}
            <Authenticator factors={factors} onCodes={onFirstCodes} />
            {factors.authenticator || factors.passkeys.length > 0 ? (
              <RecoveryCodes left={factors.recoveryCodesLeft} onCodes={setCodes} />
            ) : null}
          </ul>
        )}
      </Loaded>
      <RecoveryCodesDialog
        codes={codes}
        onClose={() => {
          setCodes([]);
          // Not earlier, because a toast would cover the codes on a phone.
          if (isFirst) toast.done(t('turnedOn'));
          setFirst(false);
          // The factor may be the one that the merchant demands.
          router.refresh();
        }}
      />
    </Section>
  );
}

interface AuthenticatorProps {
  factors: Factors;
  onCodes: (codes: string[]) => void;
}

function Authenticator({ factors, onCodes }: AuthenticatorProps) {
  const t = useTranslations('secondFactors');
  const format = useFormat();
  const toast = useToast();
  const reload = useReloadFactors();
  const { authenticator } = factors;
  const [setup, setSetup] = useState<AuthenticatorSetup | null>(null);
  const [isAsking, setAsking] = useState(false);
  const start = useFactorChange(() => accountClient.newAuthenticator.mutate(), setSetup);
  const remove = useFactorChange(
    () => accountClient.removeAuthenticator.mutate(),
    () => toast.done(t('removed')),
  );
  const facts = authenticator
    ? [
        t('addedAt', { time: format.dateTime(authenticator.createdAt) }),
        t('lastUsedAt', { time: format.dateTime(authenticator.lastUsedAt) }),
      ]
    : [t('notSetUp')];
  return (
    <Factor title={t('authenticator')} facts={facts}>
      <Button variant="secondary" size="small" busy={start.isPending} onClick={() => start.mutate()}>
        {authenticator ? t('replace') : t('setUp')}
      </Button>
      {authenticator ? (
        <Button variant="secondary" size="small" busy={remove.isPending} onClick={() => setAsking(true)}>
          {t('remove')}
        </Button>
      ) : null}
      <SetUpAuthenticator
        setup={setup}
        onClose={() => setSetup(null)}
        onAdded={(codes) => {
          setSetup(null);
          void reload();
          onCodes(codes);
          if (codes.length === 0) toast.done(t('replaced'));
        }}
      />
      <ConfirmDialog
        open={isAsking}
        title={t('removeTitle')}
        confirmLabel={t('remove')}
        isDangerous
        onCancel={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          remove.mutate();
        }}
      >
        {t('removeText')}
        <LastOne factors={factors} />
      </ConfirmDialog>
    </Factor>
  );
}

function RecoveryCodes({ left, onCodes }: { left: number; onCodes: (codes: string[]) => void }) {
  const t = useTranslations('secondFactors');
  const [isAsking, setAsking] = useState(false);
  const renew = useFactorChange(
    () => accountClient.renewRecoveryCodes.mutate(),
    ({ recoveryCodes }) => onCodes(recoveryCodes),
  );
  return (
    <Factor title={t('recoveryCodes')} facts={[t('codesLeft', { count: left }), t('recoveryText')]}>
      <Button variant="secondary" size="small" busy={renew.isPending} onClick={() => setAsking(true)}>
        {t('renew')}
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={t('renewTitle')}
        confirmLabel={t('renew')}
        onCancel={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          renew.mutate();
        }}
      >
        {t('renewText')}
      </ConfirmDialog>
    </Factor>
  );
}
