'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { plu as pluSchema } from '@/server/domain/kernel/schemas';
import { SearchBox } from '../lists/search-box';
import { useTRPC } from '../office/trpc';
import { Choice } from './store-picker';

const shown = 30;

/** Several groups may have an option with the same PLU. */
const isFirst = (all: { plu: string }[], plu: string, at: number) => all.findIndex((one) => one.plu === plu) === at;

/** Finds menu items and modifiers by name or PLU, and accepts a PLU that is not on the menu. Selected items stay visible. */
export function ItemPicker({ chosen, onChange }: { chosen: string[]; onChange: (plus: string[]) => void }) {
  const t = useTranslations();
  const trpc = useTRPC();
  const [search, setSearch] = useState('');
  const [names, setNames] = useState(new Map<string, string>());
  const options = trpc.menu.searchItems.queryOptions({ search, limit: shown });
  const { data, isPlaceholderData } = useQuery({ ...options, placeholderData: keepPreviousData });
  const { data: groups } = useQuery(trpc.menu.optionGroups.queryOptions());
  const modifiers = (groups ?? [])
    .flatMap((group) => group.options.map(({ plu, name }) => ({ plu, name: `${group.name}: ${name}` })))
    .flatMap(({ plu, name }) => (plu ? [{ plu, name }] : []))
    .filter(({ plu, name }) => search !== '' && `${name} ${plu}`.toLowerCase().includes(search.toLowerCase()));
  const matches = [...(data?.items ?? []), ...modifiers];
  const found = matches.filter(({ plu }, at) => !chosen.includes(plu) && isFirst(matches, plu, at));
  const typed = pluSchema.safeParse(search).data;
  const isMeant = ({ plu, name }: { plu: string; name: string }) =>
    plu === typed || name.toLowerCase().includes(typed?.toLowerCase() ?? '');
  // If not all matches are shown, a hidden item may have the typed PLU.
  const isAllShown = data && !isPlaceholderData && data.nextCursor === null;
  const isNoItem = isAllShown && typed !== undefined && !matches.some(isMeant);
  const offered = isNoItem && !chosen.includes(typed) ? typed : null;

  function choose(plu: string, name: string, isOn: boolean): void {
    setNames(new Map(names).set(plu, name));
    onChange(isOn ? [...chosen, plu] : chosen.filter((one) => one !== plu));
  }

  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium">{t('stockOuts.items')}</legend>
      <SearchBox label={t('stockOuts.search')} value={search} onSearch={setSearch} />
      <div className="mt-2 flex h-56 flex-col overflow-y-auto rounded-xl border border-line p-1.5">
        {chosen.map((plu) => (
          <Choice
            key={plu}
            label={names.get(plu) ?? plu}
            note={plu}
            checked
            onChange={() => choose(plu, names.get(plu) ?? plu, false)}
          />
        ))}
        {found.map(({ plu, name }) => (
          <Choice key={plu} label={name} note={plu} checked={false} onChange={() => choose(plu, name, true)} />
        ))}
        {offered === null ? null : (
          <Choice
            label={t('stockOuts.markPlu', { plu: offered })}
            note={t('stockOuts.noItem')}
            checked={false}
            onChange={() => choose(offered, t('stockOuts.markPlu', { plu: offered }), true)}
          />
        )}
        {data && found.length === 0 && !isNoItem && search !== '' ? (
          <p className="p-2 text-sm text-muted">{t('common.noneFoundTitle')}</p>
        ) : null}
        {data?.nextCursor ? <p className="p-2 text-sm text-muted">{t('stockOuts.searchForMore')}</p> : null}
      </div>
    </fieldset>
  );
}
