'use client';

import { useQuery } from '@tanstack/react-query';
import { ListChecks, Plus } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { ButtonLink } from '../../ui/button';
import { type Column, DataTable } from '../../ui/data-table';
import { EmptyState } from '../../ui/empty-state';
import { PageHeader } from '../../ui/page-header';
import { useIsGeneralManager } from '../office/office';
import { useTRPC } from '../office/trpc';
import { Waiting } from '../state/loaded';
import { MissingTranslations, TranslationBadge, useLacksTranslation } from './missing-translations';
import { useBoundsText } from './option-bounds';
import type { OptionGroupAnswer } from './option-group-form';

/** The modifier groups that items share. */
export function OptionGroupsScreen() {
  const t = useTranslations('menu');
  const canEdit = useIsGeneralManager();
  return (
    <>
      <PageHeader
        title={t('optionGroups')}
        description={t('optionGroupsText')}
        back={{ href: '/menu', label: t('title') }}
        actions={
          canEdit ? (
            <ButtonLink href="/menu/options/new">
              <Plus className="size-4" aria-hidden="true" />
              {t('newOptionGroup')}
            </ButtonLink>
          ) : null
        }
      />
      <Groups canEdit={canEdit} />
    </>
  );
}

function Groups({ canEdit }: { canEdit: boolean }) {
  const t = useTranslations();
  const trpc = useTRPC();
  const columns = useColumns();
  const lacksTranslation = useLacksTranslation();
  const { data: groups, error, refetch } = useQuery(trpc.menu.optionGroups.queryOptions());
  if (!groups) return <Waiting error={error} refetch={refetch} height="h-64" />;
  if (groups.length === 0) {
    return (
      <EmptyState icon={ListChecks} title={t('menu.noOptionGroupsTitle')}>
        {t('menu.noOptionGroupsText')}
      </EmptyState>
    );
  }
  const missing = groups.flatMap((group) => [group, ...group.options]).filter(lacksTranslation).length;
  return (
    <>
      {missing > 0 ? (
        <MissingTranslations>{t('menu.untranslatedOptions', { count: missing })}</MissingTranslations>
      ) : null}
      <DataTable
        caption={t('menu.optionGroups')}
        columns={columns}
        rows={groups}
        rowKey={({ optionGroupId }) => optionGroupId}
        rowHref={canEdit ? ({ optionGroupId }) => `/menu/options/${optionGroupId}` : undefined}
      />
    </>
  );
}

function useColumns(): Column<OptionGroupAnswer>[] {
  const t = useTranslations('menu');
  const boundsText = useBoundsText();
  const lacksTranslation = useLacksTranslation();
  return [
    {
      id: 'name',
      header: t('name'),
      cell: (group) => (
        <span className="inline-flex flex-wrap items-center gap-2">
          {group.name}
          {[group, ...group.options].some(lacksTranslation) ? <TranslationBadge /> : null}
        </span>
      ),
    },
    { id: 'bounds', narrow: 'bare', header: t('choice'), cell: boundsText },
    {
      id: 'options',
      narrow: 'bare',
      header: t('options'),
      cell: ({ options }) => options.map(({ name }) => name).join(', '),
    },
    {
      id: 'items',
      narrow: 'bare',
      header: t('items'),
      cell: ({ itemCount }) => t('usedBy', { count: itemCount }),
      align: 'end',
    },
  ];
}
