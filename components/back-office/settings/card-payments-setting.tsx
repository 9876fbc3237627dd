'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import type { CardAccountView } from '@/server/domain/card-accounts';
import { useRefusalText } from '../../calls/refusal';
import { Badge, type Tone } from '../../ui/badge';
import { Button, ButtonLink } from '../../ui/button';
import { Facts } from '../../ui/facts';
import { Section } from '../../ui/section';
import { useToast } from '../../ui/toast';
import { useTRPC } from '../office/trpc';
import { Loaded } from '../state/loaded';

const dashboard = 'https://dashboard.stripe.com';

/** Where card payments go. Owners connect an account of their own. */
export function CardPaymentsSetting() {
  const t = useTranslations('settings.cardPayments');
  const query = useQuery(useTRPC().cardAccount.get.queryOptions());
  return (
    <Section title={t('title')} description={t('text')}>
      <Loaded query={query} height="h-32">
        {(account) => <CardAccount {...account} />}
      </Loaded>
    </Section>
  );
}

type State = 'none' | 'operator' | 'new' | NonNullable<CardAccountView['cardAccountState']>;

const tones: Record<State, Tone> = {
  none: 'neutral',
  operator: 'good',
  new: 'caution',
  onboarding: 'caution',
  active: 'good',
  restricted: 'danger',
  disconnected: 'danger',
};

/** What an owner does next. */
const steps: Record<State, 'connect' | 'continue' | null> = {
  none: null,
  operator: null,
  new: 'connect',
  onboarding: 'continue',
  active: null,
  restricted: 'continue',
  disconnected: 'connect',
};

function CardAccount({ paidInto, cardAccountId, cardAccountState, canEdit }: CardAccountView) {
  const t = useTranslations('settings.cardPayments');
  const state: State = paidInto === 'own' ? (cardAccountState ?? 'new') : paidInto;
  const step = steps[state];
  const hasDashboard = state === 'active' || state === 'restricted';
  useNews(canEdit && (state === 'onboarding' || state === 'restricted'));
  return (
    <div className="flex flex-col items-start gap-4">
      <Badge tone={tones[state]}>{t(state)}</Badge>
      <p className="max-w-xl text-sm leading-relaxed text-muted">
        {t(`${state}Text`)} {step && !canEdit ? t('ownerConnects') : ''}
      </p>
      {cardAccountId ? (
        <div className="w-full">
          <Facts items={[{ term: t('account'), value: cardAccountId }]} />
        </div>
      ) : null}
      {canEdit ? (
        <div className="flex flex-wrap gap-3">
          {step ? <ConnectButton label={t(step)} /> : null}
          {hasDashboard ? (
            <ButtonLink href={dashboard} variant="secondary">
              {t('openStripe')}
            </ButtonLink>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}

/** Asks Stripe how the account stands when the screen opens, since the owner may come back from there. */
function useNews(isAwaited: boolean) {
  const queryClient = useQueryClient();
  const trpc = useTRPC();
  const { mutate } = useMutation(
    trpc.cardAccount.refresh.mutationOptions({ onSuccess: () => queryClient.invalidateQueries() }),
  );
  const isAsked = useRef(false);
  useEffect(() => {
    if (!isAwaited || isAsked.current) return;
    isAsked.current = true;
    mutate();
  }, [isAwaited, mutate]);
}

function ConnectButton({ label }: { label: string }) {
  const toast = useToast();
  const refusalText = useRefusalText();
  const connect = useMutation(
    useTRPC().cardAccount.connect.mutationOptions({
      onSuccess: ({ url }) => window.location.assign(url),
      onError: (error) => toast.failed(refusalText(error)),
    }),
  );
  return (
    <Button busy={connect.isPending || connect.isSuccess} onClick={() => connect.mutate()}>
      {label}
    </Button>
  );
}
