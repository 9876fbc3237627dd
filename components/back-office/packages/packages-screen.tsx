'use client';

import { useQuery } from '@tanstack/react-query';
import { Plus, WalletCards } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { parseAsBoolean, useQueryState } from 'nuqs';
import { Button, ButtonLink } from '../../ui/button';
import { EmptyState } from '../../ui/empty-state';
import { Link } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { SortableList } from '../../ui/sortable-list';
import { ExportLink } from '../lists/data-list';
import { MissingTranslations, useLacksTranslation } from '../menu/missing-translations';
import { useIsGeneralManager } from '../office/office';
import { useTRPC } from '../office/trpc';
import { Waiting } from '../state/loaded';
import { type ManagedPackage, PackageSummary } from './package-summary';
import { useOrderPackages } from './use-order-packages';

/** The top-up packages, in the order that tills show. */
export function PackagesScreen() {
  const t = useTranslations('packages');
  const [isArchive, showArchive] = useQueryState('archived', parseAsBoolean.withDefault(false));
  const canEdit = useIsGeneralManager();
  const add = (
    <ButtonLink href="/packages/new">
      <Plus className="size-4" aria-hidden="true" />
      {t('add')}
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title={isArchive ? t('archivedTitle') : t('title')}
        description={isArchive ? t('archivedDescription') : t('description')}
        actions={
          <>
            <Button variant="secondary" onClick={() => void showArchive(isArchive ? null : true)}>
              {isArchive ? t('showCurrent') : t('showArchived')}
            </Button>
            <ExportLink list="packages" filters={{ status: isArchive ? 'archived' : null }} />
            {isArchive || !canEdit ? null : add}
          </>
        }
      />
      <PackageList status={isArchive ? 'archived' : 'current'} />
    </>
  );
}

function PackageList({ status }: { status: 'current' | 'archived' }) {
  const t = useTranslations('packages');
  const { data: packages, error, refetch } = useQuery(useTRPC().packages.list.queryOptions({ status }));
  const order = useOrderPackages(packages);
  const canEdit = useIsGeneralManager();
  const lacksTranslation = useLacksTranslation();
  if (!packages) return <Waiting error={error} refetch={refetch} />;
  if (packages.length === 0) {
    return status === 'archived' ? (
      <EmptyState icon={WalletCards} title={t('noArchivedTitle')} />
    ) : (
      <EmptyState
        icon={WalletCards}
        title={t('emptyTitle')}
        action={canEdit ? <ButtonLink href="/packages/new">{t('add')}</ButtonLink> : null}
      >
        {t('emptyText')}
      </EmptyState>
    );
  }
  const missing = status === 'current' ? packages.filter(lacksTranslation).length : 0;
  return (
    <>
      {missing > 0 ? <MissingTranslations>{t('untranslatedCount', { count: missing })}</MissingTranslations> : null}
      <SortableList
        label={t('title')}
        items={packages}
        keyOf={({ packageId }) => packageId}
        nameOf={({ name }) => name}
        onOrder={canEdit && status === 'current' && packages.length > 1 ? order : undefined}
        className="flex flex-col gap-3"
        itemClassName="rounded-2xl border border-line bg-surface pl-2 transition-colors hover:border-edge"
      >
        {(one) => (canEdit ? <PackageRow shown={one} /> : <ReadOnlyRow shown={one} />)}
      </SortableList>
    </>
  );
}

/** For staff of named stores. */
const ReadOnlyRow = ({ shown }: { shown: ManagedPackage }) => (
  <div className="min-w-0 grow py-4 pr-5 pl-2">
    <PackageSummary shown={shown} />
  </div>
);

const PackageRow = ({ shown }: { shown: ManagedPackage }) => (
  <Link href={`/packages/${shown.packageId}`} className="block min-w-0 grow rounded-2xl py-4 pr-5 pl-2">
    <PackageSummary shown={shown} />
  </Link>
);
