'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { inferRouterOutputs } from '@trpc/server';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { AccountRouter } from '@/server/trpc/account/router';
import { accountClient } from '../../calls/account-client';
import { useRefusalText } from '../../calls/refusal';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { Section } from '../../ui/section';
import { useToast } from '../../ui/toast';
import { useFormat } from '../state/format';
import { Loaded } from '../state/loaded';

type Session = inferRouterOutputs<AccountRouter>['sessions'][number];

export const sessionsKey = ['account', 'sessions'];

/** The browsers in which the person is signed in, across all merchants. */
export function Sessions() {
  const t = useTranslations('account');
  const query = useQuery({ queryKey: sessionsKey, queryFn: () => accountClient.sessions.query() });
  return (
    <Section title={t('sessions')} description={t('sessionsText')}>
      <Loaded query={query} height="h-24">
        {(sessions) => (
          <>
            <ul className="divide-y divide-line rounded-xl border border-line">
              {sessions.map((session) => (
                <SessionRow key={session.sessionId} session={session} />
              ))}
            </ul>
            <div className="flex flex-wrap gap-3">
              {sessions.some(({ isThis }) => !isThis) ? <EndOthers /> : null}
              <SignOutEverywhere />
            </div>
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** A mutation of the sessions that reports what it did, and reloads the list. */
function useEnding<Input>(end: (input: Input) => Promise<unknown>, done: string) {
  const toast = useToast();
  const refusalText = useRefusalText();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: end,
    onSuccess: () => toast.done(done),
    onError: (error) => toast.failed(refusalText(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsKey }),
  });
}

function SessionRow({ session }: { session: Session }) {
  const t = useTranslations('account');
  const format = useFormat();
  const { sessionId, isThis } = session;
  const end = useEnding(() => accountClient.endSession.mutate({ sessionId }), t('sessionEnded'));
  const browser = session.browser || t('unknownBrowser');
  const lastSeen = format.dateTime(session.lastSeenAt);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 p-4">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 font-medium">
          {browser}
          {isThis ? <Badge tone="good">{t('thisSession')}</Badge> : null}
        </p>
        <p className="mt-1 flex flex-wrap gap-x-3 text-sm text-muted">
          <span>{t('lastSeenAt', { time: lastSeen })}</span>
          <span>{t('signedInAt', { time: format.dateTime(session.createdAt) })}</span>
          <span>{t('network', { network: session.network })}</span>
        </p>
      </div>
      {isThis ? null : (
        <Button
          variant="secondary"
          size="small"
          busy={end.isPending}
          aria-label={t('endSessionOf', { browser, time: lastSeen })}
          onClick={() => end.mutate(undefined)}
        >
          {t('endSession')}
        </Button>
      )}
    </li>
  );
}

function EndOthers() {
  const t = useTranslations('account');
  const end = useEnding(() => accountClient.endOtherSessions.mutate(), t('othersEnded'));
  return (
    <Button variant="secondary" busy={end.isPending} onClick={() => end.mutate(undefined)}>
      {t('endOthers')}
    </Button>
  );
}

function SignOutEverywhere() {
  const t = useTranslations('account');
  const toast = useToast();
  const refusalText = useRefusalText();
  const [isAsking, setIsAsking] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  async function signOut() {
    setIsAsking(false);
    setIsBusy(true);
    try {
      await accountClient.signOutEverywhere.mutate();
      window.location.assign('/sign-in');
    } catch (error) {
      setIsBusy(false);
      toast.failed(refusalText(error));
    }
  }
  return (
    <>
      <Button variant="danger" busy={isBusy} onClick={() => setIsAsking(true)}>
        {t('signOutEverywhere')}
      </Button>
      <ConfirmDialog
        open={isAsking}
        title={t('signOutTitle')}
        confirmLabel={t('signOutEverywhere')}
        isDangerous
        onCancel={() => setIsAsking(false)}
        onConfirm={signOut}
      >
        {t('signOutText')}
      </ConfirmDialog>
    </>
  );
}
