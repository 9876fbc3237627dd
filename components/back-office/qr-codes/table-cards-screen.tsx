'use client';

import { useQuery } from '@tanstack/react-query';
import { Printer, QrCode } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { parseAsArrayOf, parseAsString, useQueryState } from 'nuqs';
import { useState } from 'react';
import { Alert } from '../../ui/alert';
import { Button } from '../../ui/button';
import { EmptyState } from '../../ui/empty-state';
import { PageHeader } from '../../ui/page-header';
import { Skeleton } from '../../ui/skeleton';
import { StoreChoice, StorePending, useStoreChoice } from '../lists/store-choice';
import { useTRPC } from '../office/trpc';
import { LoadError } from '../state/load-error';
import { CardChoice } from './card-choice';
import { CardSheets } from './card-sheets';
import { type CardSize, CardSizeChoice, useCardSize } from './card-size';

/** Cards for one visit, one per open code, as they will be printed. */
export function TableCardsScreen() {
  const t = useTranslations('qrCodes');
  const choice = useStoreChoice();
  const [size, setSize] = useCardSize();
  const [chosen, setChosen] = useQueryState('code', parseAsArrayOf(parseAsString));
  const { store } = choice;
  return (
    <>
      <PageHeader
        back={{ href: store ? `/qr-codes?store=${store.storeId}` : '/qr-codes', label: t('title') }}
        title={t('cardsTitle')}
        description={t('cardsDescription')}
        actions={
          <>
            <StoreChoice
              {...choice}
              choose={(storeId) => {
                // The selected codes belong to another store.
                void setChosen(null);
                choice.choose(storeId);
              }}
            />
            <CardSizeChoice size={size} onChoose={setSize} />
          </>
        }
      />
      {store ? (
        <StoreCards
          key={store.storeId}
          storeId={store.storeId}
          size={size}
          chosen={chosen}
          onChoose={(ids) => void setChosen(ids)}
        />
      ) : (
        <StorePending {...choice} />
      )}
    </>
  );
}

interface StoreCardsProps {
  storeId: string;
  size: CardSize;
  /** The codes that get a card; null for all. */
  chosen: string[] | null;
  onChoose: (qrCodeIds: string[] | null) => void;
}

function StoreCards({ storeId, size, chosen, onChoose }: StoreCardsProps) {
  const t = useTranslations('qrCodes');
  const tCommon = useTranslations('common');
  const trpc = useTRPC();
  // The codes that were selected when the page opened can be selected again after they are deselected.
  const [qrCodeIds] = useState(chosen ?? []);
  const { data, error, refetch } = useQuery(trpc.qrCodes.cards.queryOptions({ storeId, qrCodeIds }));
  if (!data) {
    if (error) return <LoadError error={error} onRetry={refetch} />;
    return <Skeleton label={tCommon('loading')} className="h-96" />;
  }
  const { cards, storeName, isCut } = data;
  if (cards.length === 0) {
    return (
      <EmptyState icon={QrCode} title={t('emptyActiveTitle')}>
        {t('emptyActiveText')}
      </EmptyState>
    );
  }
  const isChosen = (qrCodeId: string) => chosen === null || chosen.includes(qrCodeId);
  const shown = cards.filter(({ qrCodeId }) => isChosen(qrCodeId));
  return (
    <>
      <div className="mb-6 print:hidden">
        <Alert tone="caution" title={t('cardsLast')}>
          {t('cardsLastText')}
        </Alert>
      </div>
      <div className="mb-6 flex flex-wrap items-end justify-between gap-4 print:hidden">
        <CardChoice
          cards={cards}
          isChosen={isChosen}
          onChoose={(ids) => onChoose(ids.length === cards.length ? null : ids)}
        />
        <Button busy={shown.length === 0} onClick={() => window.print()}>
          <Printer className="size-4" aria-hidden="true" />
          {t('printCount', { count: shown.length })}
        </Button>
      </div>
      {shown.length === 0 ? <p className="text-muted">{t('noneChosen')}</p> : null}
      {isCut ? <p className="mb-6 text-muted print:hidden">{t('cardsCut', { count: cards.length })}</p> : null}
      <CardSheets
        cards={shown.map(({ qrCodeId, ...card }) => ({ id: qrCodeId, ...card }))}
        storeName={storeName}
        size={size}
        purpose="visit"
      />
    </>
  );
}
