'use client';

import { useQuery } from '@tanstack/react-query';
import { Armchair, Move, Plus, Printer } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { useState } from 'react';
import { Button, ButtonLink } from '../../ui/button';
import { EmptyState } from '../../ui/empty-state';
import { PageHeader } from '../../ui/page-header';
import { Tabs } from '../../ui/tabs';
import { StoreChoice, StorePending, useStoreChoice } from '../lists/store-choice';
import { useOffice } from '../office/office';
import { useTRPC } from '../office/trpc';
import { Loaded } from '../state/loaded';
import { AddTablesDialog } from './add-tables-dialog';
import { AreaTables } from './area-tables';
import { ArrangeFloor } from './arrange-floor';
import { FloorTiles } from './floor-tiles';
import { areasOf } from './types';

/** What happens at the tables of a store now, and the list to set them up. */
export function TablesScreen() {
  const t = useTranslations('tables');
  const choice = useStoreChoice();
  const { person } = useOffice();
  const [isAdding, setAdding] = useState(false);
  const { store } = choice;
  const mayChange = person.role !== 'cashier';
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          store ? (
            <>
              <StoreChoice {...choice} />
              <ButtonLink variant="secondary" href={`/tables/print?store=${store.storeId}`}>
                <Printer className="size-4" aria-hidden="true" />
                {t('printCards')}
              </ButtonLink>
              {mayChange ? (
                <Button onClick={() => setAdding(true)}>
                  <Plus className="size-4" aria-hidden="true" />
                  {t('add')}
                </Button>
              ) : null}
            </>
          ) : null
        }
      />
      {store ? (
        <Floor key={store.storeId} storeId={store.storeId} mayChange={mayChange} onAdd={() => setAdding(true)} />
      ) : (
        <StorePending {...choice} />
      )}
      {isAdding && store ? <AddTablesDialog store={store} onClose={() => setAdding(false)} /> : null}
    </>
  );
}

interface FloorProps {
  storeId: string;
  mayChange: boolean;
  onAdd: () => void;
}

const views = ['now', 'list'] as const;

function Floor({ storeId, mayChange, onAdd }: FloorProps) {
  const t = useTranslations('tables');
  const [isArranging, setArranging] = useState(false);
  const [view, setView] = useQueryState('view', parseAsStringLiteral(views).withDefault('now'));
  const query = useQuery(useTRPC().tables.list.queryOptions({ storeId }));
  return (
    <Loaded query={query}>
      {({ tables }) =>
        tables.length === 0 ? (
          <EmptyState
            icon={Armchair}
            title={t('emptyTitle')}
            action={mayChange ? <Button onClick={onAdd}>{t('add')}</Button> : null}
          >
            {t('emptyText')}
          </EmptyState>
        ) : (
          <Tabs
            label={t('title')}
            value={view}
            onChange={(chosen) => void setView(chosen)}
            tabs={[
              {
                value: 'now',
                label: t('now'),
                panel: (
                  <div className="flex flex-col gap-5">
                    {mayChange && tables.length > 1 ? (
                      <Button
                        variant="secondary"
                        size="small"
                        className="self-start sm:self-end"
                        aria-pressed={isArranging}
                        onClick={() => setArranging(!isArranging)}
                      >
                        {isArranging ? null : <Move className="size-4" aria-hidden="true" />}
                        {t(isArranging ? 'arranged' : 'arrange')}
                      </Button>
                    ) : null}
                    {isArranging ? (
                      <ArrangeFloor storeId={storeId} tables={tables} />
                    ) : (
                      <FloorTiles storeId={storeId} tables={tables} />
                    )}
                  </div>
                ),
              },
              {
                value: 'list',
                label: t('list'),
                panel: (
                  <div className="flex flex-col gap-7">
                    {areasOf(tables).map((area) => (
                      <AreaTables key={area.name} storeId={storeId} area={area} mayChange={mayChange} />
                    ))}
                  </div>
                ),
              },
            ]}
          />
        )
      }
    </Loaded>
  );
}
