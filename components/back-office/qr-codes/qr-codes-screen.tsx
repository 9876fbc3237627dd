'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Plus, Printer, QrCode } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { parseAsString, parseAsStringLiteral } from 'nuqs';
import { useMemo, useState } from 'react';
import { qrCodeListStatus } from '@/server/domain/qr-ordering/schemas';
import { Button, ButtonLink } from '../../ui/button';
import { EmptyState } from '../../ui/empty-state';
import { PageHeader } from '../../ui/page-header';
import { SelectBox } from '../../ui/select';
import { DataList, ExportLink } from '../lists/data-list';
import { FilterBar } from '../lists/filter-bar';
import { useListState } from '../lists/list-state';
import { SearchBox } from '../lists/search-box';
import { StoreChoice, StorePending, useStoreChoice } from '../lists/store-choice';
import { usePlace } from '../office/place';
import { useTRPC } from '../office/trpc';
import { CloseChosen } from './close-chosen';
import { useCodeColumns } from './code-columns';
import { NewCodeDialog } from './new-code-dialog';
import type { ListedCode } from './types';

const statuses = qrCodeListStatus.options;
const parsers = {
  search: parseAsString.withDefault(''),
  status: parseAsStringLiteral(statuses).withDefault('active'),
};

/** A store's QR codes: open, settled and expired ones. */
export function QrCodesScreen() {
  const t = useTranslations('qrCodes');
  const choice = useStoreChoice();
  const [isMaking, setMaking] = useState(false);
  const { store } = choice;
  const { search, status } = useListState(parsers).filters;
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          store ? (
            <>
              <ExportLink list="qr-codes" filters={{ storeId: store.storeId, status, search }} />
              <ButtonLink variant="secondary" href={`/qr-codes/print?store=${store.storeId}`}>
                <Printer className="size-4" aria-hidden="true" />
                {t('printCards')}
              </ButtonLink>
              <Button onClick={() => setMaking(true)}>
                <Plus className="size-4" aria-hidden="true" />
                {t('new')}
              </Button>
            </>
          ) : null
        }
      />
      {store ? (
        <CodeList storeId={store.storeId} choice={choice} onNew={() => setMaking(true)} />
      ) : (
        <StorePending {...choice} />
      )}
      {isMaking && store ? (
        <NewCodeDialog
          storeId={store.storeId}
          text={t('newText', { store: store.name })}
          onClose={() => setMaking(false)}
        />
      ) : null}
    </>
  );
}

interface CodeListProps {
  storeId: string;
  choice: ReturnType<typeof useStoreChoice>;
  onNew: () => void;
}

function CodeList({ storeId, choice, onNew }: CodeListProps) {
  const t = useTranslations();
  const trpc = useTRPC();
  const place = usePlace();
  const { filters, page, setFilters, clearFilters, setPage } = useListState(parsers);
  const { search, status } = filters;
  const filter = { storeId, status, search: search || undefined };
  const query = useQuery({
    ...trpc.qrCodes.list.queryOptions({ ...filter, ...page }),
    placeholderData: keepPreviousData,
  });
  const isActive = status === 'active';
  const empty = useMemo(
    () => (
      <EmptyState
        icon={QrCode}
        title={t(isActive ? 'qrCodes.emptyActiveTitle' : 'qrCodes.emptyTitle')}
        action={isActive ? <Button onClick={onNew}>{t('qrCodes.new')}</Button> : null}
      >
        {t(isActive ? 'qrCodes.emptyActiveText' : 'qrCodes.emptyText')}
      </EmptyState>
    ),
    [t, isActive, onNew],
  );
  return (
    <>
      <FilterBar>
        <SearchBox
          label={t('qrCodes.search')}
          value={search}
          onSearch={(text) => setFilters({ search: text === '' ? null : text })}
        />
        <StoreChoice
          {...choice}
          choose={(chosenId) => {
            // A page cursor of one store does not apply to another.
            setPage({ after: null, before: null });
            choice.choose(chosenId);
          }}
        />
        <SelectBox
          aria-label={t('common.status')}
          value={status}
          onChange={({ target }) => setFilters({ status: qrCodeListStatus.parse(target.value) })}
          options={statuses.map((value) => ({ value, label: t(`qrCodes.${value}`) }))}
          className="w-auto"
        />
      </FilterBar>
      <DataList
        caption={t('qrCodes.title')}
        query={query}
        columns={useCodeColumns()}
        rowKey={({ qrCodeId }) => qrCodeId}
        rowName={place}
        rowHref={({ qrCodeId }) => `/qr-codes/${qrCodeId}`}
        empty={empty}
        isFiltered={search !== ''}
        onClearFilters={clearFilters}
        onPage={setPage}
        bulkActions={
          isActive
            ? (codes, clear) => (
                <>
                  <PrintChosen storeId={storeId} codes={codes} />
                  <CloseChosen codes={codes} onClosed={clear} />
                </>
              )
            : undefined
        }
      />
    </>
  );
}

function PrintChosen({ storeId, codes }: { storeId: string; codes: ListedCode[] }) {
  const t = useTranslations('qrCodes');
  const code = codes.map(({ qrCodeId }) => qrCodeId).join(',');
  return (
    <ButtonLink
      variant="secondary"
      size="small"
      href={`/qr-codes/print?${new URLSearchParams({ store: storeId, code })}`}
    >
      <Printer className="size-4" aria-hidden="true" />
      {t('printCards')}
    </ButtonLink>
  );
}
