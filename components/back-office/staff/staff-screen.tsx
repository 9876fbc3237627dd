'use client';

import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { type Column, DataTable } from '../../ui/data-table';
import { PageHeader } from '../../ui/page-header';
import { ExportLink } from '../lists/data-list';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';
import { Waiting } from '../state/loaded';
import { Invitations } from './invitations';
import { InviteDialog } from './invite-dialog';
import { RemoveMember } from './remove-member';
import { ResetSecondFactor } from './reset-second-factor';
import { RoleChoice } from './role-choice';
import { SecondFactorDemand } from './second-factor-demand';
import { StaffStores } from './staff-stores';
import type { Member } from './types';

/** Members of staff and open invitations. */
export function StaffScreen() {
  const t = useTranslations('staff');
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.staff.list.queryOptions());
  const columns = useColumns();
  const [isInviting, setIsInviting] = useState(false);
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <>
            <ExportLink list="staff" filters={{}} />
            <Button onClick={() => setIsInviting(true)}>
              <Plus className="size-4" aria-hidden="true" />
              {t('invite')}
            </Button>
          </>
        }
      />
      {data ? (
        <>
          <DataTable caption={t('title')} columns={columns} rows={data.members} rowKey={({ userId }) => userId} />
          <SecondFactorDemand staff={data} />
          {data.invitations.length > 0 ? <Invitations invitations={data.invitations} /> : null}
        </>
      ) : (
        <Waiting error={error} refetch={refetch} height="h-72" />
      )}
      {isInviting ? <InviteDialog onClose={() => setIsInviting(false)} /> : null}
    </>
  );
}

function useColumns(): Column<Member>[] {
  const t = useTranslations('staff');
  const tCommon = useTranslations('common');
  const format = useFormat();
  return [
    {
      id: 'person',
      header: t('person'),
      cell: ({ name, email, isYou }) => (
        <>
          <span className="flex flex-wrap items-center gap-2 font-medium">
            {name}
            {isYou ? <Badge>{t('you')}</Badge> : null}
          </span>
          <span className="block text-sm font-normal wrap-anywhere text-muted">{email}</span>
        </>
      ),
    },
    { id: 'role', narrow: 'bare', header: t('role'), cell: (member) => <RoleChoice member={member} /> },
    { id: 'stores', narrow: 'bare', header: tCommon('stores'), cell: (member) => <StaffStores member={member} /> },
    {
      id: 'secondFactor',
      header: t('twoStep'),
      cell: ({ hasSecondFactor }) =>
        hasSecondFactor ? <Badge tone="good">{t('twoStepOn')}</Badge> : <Badge>{t('twoStepOff')}</Badge>,
    },
    {
      id: 'joined',
      header: t('joined'),
      wideOnly: true,
      cell: ({ joinedAt }) => <span className="whitespace-nowrap">{format.date(joinedAt)}</span>,
    },
    {
      id: 'actions',
      narrow: 'aside',
      header: t('actions'),
      align: 'end',
      cell: (member) => (
        <div className="flex flex-wrap justify-end gap-2 @min-5xl:flex-nowrap">
          {member.hasSecondFactor && !member.isYou ? <ResetSecondFactor member={member} /> : null}
          <RemoveMember member={member} />
        </div>
      ),
    },
  ];
}
