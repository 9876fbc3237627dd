'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useDeferredValue, useState } from 'react';
import { useField } from '../../form/use-field';
import { ChosenList } from '../../ui/chosen-list';
import { SearchPicker } from '../../ui/search-picker';
import { useTRPC } from '../office/trpc';
import { useFormat } from '../state/format';

interface Choice {
  plu: string;
  /** Null for a PLU that is not on the menu. */
  name: string | null;
  price: number | null;
}

/** Items by PLU: found on the menu, or any other PLU that a till may send. */
export function PluField({ name, label, hint }: { name: string; label: string; hint: string }) {
  const t = useTranslations('vouchers');
  const { field, error } = useField(name);
  const chosen: string[] = field.value;
  const [search, setSearch] = useState('');
  const deferredSearch = useDeferredValue(search.trim());
  const trpc = useTRPC();
  const { data: found = [] } = useQuery({
    ...trpc.campaigns.pluChoices.queryOptions({ search: deferredSearch }),
    placeholderData: keepPreviousData,
  });
  const isNew = deferredSearch !== '' && !found.some(({ plu }) => plu.toLowerCase() === deferredSearch.toLowerCase());
  const choices: Choice[] = [...found, ...(isNew ? [{ plu: deferredSearch, name: null, price: null }] : [])];
  return (
    <div>
      <SearchPicker
        label={label}
        hint={hint}
        error={error}
        placeholder={t('itemsSearch')}
        search={search}
        onSearch={setSearch}
        items={choices.filter(({ plu }) => !chosen.includes(plu))}
        keyOf={({ plu }) => plu}
        nameOf={({ plu }) => plu}
        emptyText={t('itemsEmpty')}
        onPick={({ plu }) => field.onChange([...chosen, plu])}
      >
        {(choice) => <ChoiceLine choice={choice} />}
      </SearchPicker>
      <ChosenItems plus={chosen} onRemove={(plu) => field.onChange(chosen.filter((one) => one !== plu))} />
    </div>
  );
}

function ChoiceLine({ choice: { plu, name, price } }: { choice: Choice }) {
  const t = useTranslations('vouchers');
  const { money } = useFormat();
  return (
    <>
      <span className="w-20 shrink-0 font-mono text-sm text-muted">{plu}</span>
      <span className="min-w-0 grow wrap-anywhere">{name ?? t('notOnMenu')}</span>
      {price === null ? null : <span className="text-muted tabular-nums">{money(price)}</span>}
    </>
  );
}

function ChosenItems({ plus, onRemove }: { plus: string[]; onRemove: (plu: string) => void }) {
  const t = useTranslations('vouchers');
  const trpc = useTRPC();
  const { data: known = [] } = useQuery({
    ...trpc.campaigns.pluChoices.queryOptions({ plus }),
    placeholderData: keepPreviousData,
    enabled: plus.length > 0,
  });
  return (
    <ChosenList label={t('chosenItems')} chosen={plus} nameOf={(plu) => plu} onRemove={onRemove}>
      {(plu) => (
        <>
          <span className="font-mono text-muted">{plu}</span>
          <span>{known.find((item) => item.plu === plu)?.name ?? t('notOnMenu')}</span>
        </>
      )}
    </ChosenList>
  );
}
