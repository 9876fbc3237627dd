'use client';

import { useQuery } from '@tanstack/react-query';
import { Armchair, Printer } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { parseAsArrayOf, parseAsString, useQueryStates } from 'nuqs';
import { Alert } from '../../ui/alert';
import { Button } from '../../ui/button';
import { EmptyState } from '../../ui/empty-state';
import { PageHeader } from '../../ui/page-header';
import { SelectBox } from '../../ui/select';
import { StoreChoice, StorePending, useStoreChoice } from '../lists/store-choice';
import { useTRPC } from '../office/trpc';
import { CardSheets } from '../qr-codes/card-sheets';
import { type CardSize, CardSizeChoice, useCardSize } from '../qr-codes/card-size';
import { Loaded } from '../state/loaded';
import { areasOf } from './types';

const parsers = { area: parseAsString, table: parseAsArrayOf(parseAsString) };

/** The tables' permanent cards, as they will be printed. */
export function FloorCardsScreen() {
  const t = useTranslations('tables');
  const choice = useStoreChoice();
  const [size, setSize] = useCardSize();
  const [{ area, table }, setFilters] = useQueryStates(parsers);
  const { store } = choice;
  return (
    <>
      <PageHeader
        back={{ href: store ? `/tables?store=${store.storeId}` : '/tables', label: t('title') }}
        title={t('cardsTitle')}
        description={t('cardsDescription')}
        actions={
          <>
            <StoreChoice
              {...choice}
              choose={(storeId) => {
                // The chosen tables belong to another store.
                void setFilters(null);
                choice.choose(storeId);
              }}
            />
            {store ? (
              <AreaChoice
                storeId={store.storeId}
                area={area}
                onChoose={(chosen) => void setFilters({ area: chosen, table: null })}
              />
            ) : null}
            <CardSizeChoice size={size} onChoose={(chosen) => void setSize(chosen)} />
          </>
        }
      />
      {store ? (
        <Cards storeId={store.storeId} size={size} area={area} tableIds={table ?? []} />
      ) : (
        <StorePending {...choice} />
      )}
    </>
  );
}

interface AreaChoiceProps {
  storeId: string;
  /** Null for all. */
  area: string | null;
  onChoose: (area: string | null) => void;
}

function AreaChoice({ storeId, area, onChoose }: AreaChoiceProps) {
  const t = useTranslations('tables');
  const { data } = useQuery(useTRPC().tables.list.queryOptions({ storeId }));
  const areas = areasOf(data?.tables ?? []);
  if (areas.length < 2) return null;
  // An area may have any name, even an empty one.
  const optionOf = (name: string) => `=${name}`;
  return (
    <SelectBox
      aria-label={t('area')}
      value={area === null ? '' : optionOf(area)}
      onChange={({ target }) => onChoose(target.value === '' ? null : target.value.slice(1))}
      options={[
        { value: '', label: t('allAreas') },
        ...areas.map(({ name }) => ({ value: optionOf(name), label: name || t('noArea') })),
      ]}
      className="w-auto max-w-64"
    />
  );
}

interface CardsProps {
  storeId: string;
  size: CardSize;
  area: string | null;
  tableIds: string[];
}

function Cards({ size, ...filter }: CardsProps) {
  const t = useTranslations('tables');
  const tCodes = useTranslations('qrCodes');
  const query = useQuery(useTRPC().tables.cards.queryOptions(filter));
  return (
    <Loaded query={query}>
      {({ cards, storeName, cardPage, isCut }) => {
        const printed = cards.flatMap(({ tableId, table, scan }) =>
          scan === null ? [] : [{ id: tableId, table, billId: '', scan }],
        );
        const stale = cards.filter(({ scan }) => scan === null);
        if (cards.length === 0) {
          return (
            <EmptyState icon={Armchair} title={t('emptyTitle')}>
              {t('emptyText')}
            </EmptyState>
          );
        }
        return (
          <>
            {stale.length > 0 ? (
              <div className="print:hidden">
                <Alert tone="caution" title={t('staleTitle', { count: stale.length })}>
                  {t('staleText', { names: stale.map(({ table }) => table).join(', ') })}
                </Alert>
              </div>
            ) : null}
            <div className="flex flex-wrap items-center justify-between gap-4 print:hidden">
              <p className="max-w-2xl text-muted">
                {isCut ? t('cardsCut', { count: cards.length }) : t(`cardsStay.${cardPage}`)}
              </p>
              <Button busy={printed.length === 0} onClick={() => window.print()}>
                <Printer className="size-4" aria-hidden="true" />
                {tCodes('printCount', { count: printed.length })}
              </Button>
            </div>
            <CardSheets
              cards={printed}
              storeName={storeName}
              size={size}
              purpose={cardPage === 'menu' ? 'menu' : 'order'}
            />
          </>
        );
      }}
    </Loaded>
  );
}
