import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import type { CSSProperties } from 'react';
import { brandColours } from '../../diner/brand-sheet';
import { type DinerLanguage, dinerLanguages } from '../../diner/words';
import { Field } from '../../ui/field';
import { Select } from '../../ui/select';
import { useOffice } from '../office/office';
import { useTRPC } from '../office/trpc';

const languages = Object.keys(dinerLanguages) as DinerLanguage[];

/** The language that cards have besides the merchant's, in the URL; null for none. */
export const useSecondLanguage = () => useQueryState('language', parseAsStringLiteral(languages));

interface CardLookProps {
  second: DinerLanguage | null;
  onSecond: (language: DinerLanguage | null) => void;
  note: string;
  onNote: (note: string) => void;
}

/** What cards say besides how to scan them. */
export function CardLook({ second, onSecond, note, onNote }: CardLookProps) {
  const t = useTranslations('qrCodes');
  const { locale } = useOffice().merchant;
  const others = languages.filter((language) => !locale.startsWith(language));
  return (
    <div className="grid max-w-2xl gap-4 sm:grid-cols-[14rem_1fr] print:hidden">
      <Select
        label={t('secondLanguage')}
        value={second ?? ''}
        onChange={({ target }) => onSecond(languages.find((language) => language === target.value) ?? null)}
        options={[
          { value: '', label: t('oneLanguage') },
          ...others.map((value) => ({ value, label: dinerLanguages[value] })),
        ]}
      />
      <Field
        label={t('cardNote')}
        hint={t('cardNoteHint')}
        value={note}
        onChange={({ target }) => onNote(target.value)}
        maxLength={60}
        autoComplete="off"
      />
    </div>
  );
}

/** The merchant's logo and colours on paper. Undefined until they are loaded. */
export function useCardBrand(): { logoId: string | null; colours: CSSProperties } | undefined {
  const { data } = useQuery(useTRPC().settings.get.queryOptions());
  if (!data) return undefined;
  const { logoId, accentColour } = data;
  const { plate, 'on-accent': onPlate } = brandColours(accentColour ?? ownColour).light;
  return { logoId, colours: { '--card-plate': plate, '--card-on-plate': onPlate } as CSSProperties };
}

/** The product's own green. */
const ownColour = '#0e573b';
