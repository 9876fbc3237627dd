import { useTranslations } from 'next-intl';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { SelectBox } from '../../ui/select';

/** `perSheet`: how many cards are on a printed page. */
export const cardSizes = {
  a4x4: { name: 'sizeA4x4', perSheet: 4 },
  a4x8: { name: 'sizeA4x8', perSheet: 8 },
  a6: { name: 'sizeA6', perSheet: 1 },
  tent: { name: 'sizeTent', perSheet: 2 },
  round: { name: 'sizeRound', perSheet: 6 },
  square: { name: 'sizeSquare', perSheet: 6 },
} as const;
export type CardSize = keyof typeof cardSizes;
const sizes = Object.keys(cardSizes) as CardSize[];

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
      options={sizes.map((value) => ({ value, label: t(cardSizes[value].name) }))}
      className="w-auto"
    />
  );
}
