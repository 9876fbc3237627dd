'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useField } from '../../form/use-field';
import { ChosenList } from '../../ui/chosen-list';
import { SearchPicker } from '../../ui/search-picker';
import { useTRPC } from '../office/trpc';
import { useNames } from './use-names';

const maxShown = 8;

/** Any number of countries, found by name or code; null for none. */
export function CountriesField({ name, label, hint }: { name: string; label: string; hint: string }) {
  const t = useTranslations('settings');
  const tCommon = useTranslations('common');
  const trpc = useTRPC();
  const names = useNames();
  const { field, error } = useField(name);
  const [search, setSearch] = useState('');
  const { data: choices } = useQuery(
    trpc.settings.choices.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY }),
  );
  const chosen: string[] = field.value ?? [];
  const wanted = search.trim().toLowerCase();
  /** A matching code, and names that begin with the text, come first. */
  const placeOf = (code: string) =>
    code.toLowerCase() === wanted ? 0 : names.country(code).toLowerCase().indexOf(wanted);
  const found = (choices?.countries ?? [])
    .filter((code) => !chosen.includes(code) && placeOf(code) >= 0)
    .sort(
      (a, b) => Number(placeOf(a) !== 0) - Number(placeOf(b) !== 0) || names.country(a).localeCompare(names.country(b)),
    );
  const change = (codes: string[]) => field.onChange(codes.length === 0 ? null : codes.sort());
  return (
    <div>
      <SearchPicker
        label={label}
        hint={hint}
        optional={tCommon('optional')}
        error={error}
        placeholder={t('countrySearch')}
        search={search}
        onSearch={setSearch}
        items={found.slice(0, maxShown)}
        keyOf={(code) => code}
        nameOf={names.country}
        emptyText={t('countryUnknown')}
        onPick={(code) => change([...chosen, code])}
      >
        {(code) => names.country(code)}
      </SearchPicker>
      <ChosenList
        label={label}
        chosen={chosen}
        nameOf={names.country}
        onRemove={(code) => change(chosen.filter((one) => one !== code))}
      >
        {names.country}
      </ChosenList>
    </div>
  );
}
