'use client';

import { useQuery } from '@tanstack/react-query';
import { Armchair, Plus, Printer } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button, ButtonLink } from '../../ui/button';
import { EmptyState } from '../../ui/empty-state';
import { PageHeader } from '../../ui/page-header';
import { StoreChoice, StorePending, useStoreChoice } from '../lists/store-choice';
import { useOffice } from '../office/office';
import { useTRPC } from '../office/trpc';
import { Loaded } from '../state/loaded';
import { AddTablesDialog } from './add-tables-dialog';
import { AreaTables } from './area-tables';
import { areasOf } from './types';

/** The tables of a store by area, with their cards and open bills. */
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

function Floor({ storeId, mayChange, onAdd }: FloorProps) {
  const t = useTranslations('tables');
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
          areasOf(tables).map((area) => (
            <AreaTables key={area.name} storeId={storeId} area={area} mayChange={mayChange} />
          ))
        )
      }
    </Loaded>
  );
}
