import { useTranslations } from 'next-intl';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { SelectBox } from '../../ui/select';

const sizes = ['a6', 'a4x4', 'a4x8'] as const;
export type CardSize = (typeof sizes)[number];
const names = { a6: 'sizeA6', a4x4: 'sizeA4x4', a4x8: 'sizeA4x8' } as const;

/** The size of cards on paper, in the URL. */
export const useCardSize = () => useQueryState('size', parseAsStringLiteral(sizes).withDefault('a4x4'));

interface CardSizeChoiceProps {
  size: CardSize;
  onChoose: (size: CardSize | null) => void;
}

export function CardSizeChoice({ size, onChoose }: CardSizeChoiceProps) {
  const t = useTranslations('qrCodes');
  return (
    <SelectBox
      aria-label={t('size')}
      value={size}
      onChange={({ target }) => onChoose(sizes.find((one) => one === target.value) ?? null)}
      options={sizes.map((value) => ({ value, label: t(names[value]) }))}
      className="w-auto"
    />
  );
}
