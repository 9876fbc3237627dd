'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useLanguage } from '../../messages/use-language';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { type Column, DataTable } from '../../ui/data-table';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { useChange } from '../state/use-change';
import { ShownLink } from './invite-dialog';
import { useRoleOptions } from './roles';
import { StoreNames } from './staff-stores';
import type { Invitation } from './types';

/** Open invitations. */
export function Invitations({ invitations }: { invitations: Invitation[] }) {
  const t = useTranslations('staff');
  return (
    <section aria-labelledby="invitations" className="mt-10">
      <h2 id="invitations" className="text-lg font-semibold tracking-tight">
        {t('invitations')}
      </h2>
      <p className="mt-1 mb-4 text-sm text-muted">{t('invitationsText')}</p>
      <DataTable
        caption={t('invitations')}
        columns={useColumns()}
        rows={invitations}
        rowKey={({ invitationId }) => invitationId}
      />
    </section>
  );
}

function useColumns(): Column<Invitation>[] {
  const t = useTranslations('staff');
  const tCommon = useTranslations('common');
  const roles = useRoleOptions();
  return [
    { id: 'email', header: t('email'), cell: ({ email }) => email },
    {
      id: 'role',
      narrow: 'bare',
      header: t('role'),
      cell: ({ role }) => roles.find(({ value }) => value === role)?.label,
    },
    { id: 'stores', narrow: 'bare', header: tCommon('stores'), cell: (invitation) => <StoreNames {...invitation} /> },
    { id: 'state', narrow: 'bare', header: tCommon('status'), cell: (invitation) => <State {...invitation} /> },
    {
      id: 'actions',
      narrow: 'aside',
      header: t('actions'),
      align: 'end',
      cell: (invitation) => <Actions invitation={invitation} />,
    },
  ];
}

function State({ expiresAt, isExpired, isUndelivered }: Invitation) {
  const t = useTranslations('staff');
  const format = useFormat();
  if (isExpired) return <Badge tone="caution">{t('expired')}</Badge>;
  if (isUndelivered) return <Badge tone="danger">{t('undelivered')}</Badge>;
  return t('validUntil', { date: format.date(expiresAt) });
}

function Actions({ invitation: { invitationId, email } }: { invitation: Invitation }) {
  const t = useTranslations('staff');
  const trpc = useTRPC();
  const { toast, settle } = useChange('staff');
  const language = useLanguage();
  const [isAsking, setIsAsking] = useState(false);
  const [link, setLink] = useState<string | null>(null);
  const resend = useMutation(
    trpc.staff.resendInvitation.mutationOptions({ ...settle, onSuccess: (sent) => setLink(sent.link) }),
  );
  const revoke = useMutation(
    trpc.staff.revokeInvitation.mutationOptions({ ...settle, onSuccess: () => toast.done(t('revoked', { email })) }),
  );
  const named = <span className="sr-only"> {email}</span>;
  return (
    <span className="inline-flex flex-wrap justify-end gap-2">
      <Button
        variant="secondary"
        size="small"
        busy={resend.isPending}
        onClick={() => resend.mutate({ invitationId, language })}
      >
        {t('resend')}
        {named}
      </Button>
      <Button variant="secondary" size="small" busy={revoke.isPending} onClick={() => setIsAsking(true)}>
        {t('revoke')}
        {named}
      </Button>
      {link === null ? null : <ShownLink email={email} link={link} onClose={() => setLink(null)} />}
      <ConfirmDialog
        open={isAsking}
        title={t('revokeTitle')}
        confirmLabel={t('revoke')}
        isDangerous
        onCancel={() => setIsAsking(false)}
        onConfirm={() => {
          setIsAsking(false);
          revoke.mutate({ invitationId });
        }}
      >
        {t('revokeText', { email })}
      </ConfirmDialog>
    </span>
  );
}
