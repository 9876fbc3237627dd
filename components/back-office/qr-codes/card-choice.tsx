import { useTranslations } from 'next-intl';
import { usePlace } from '../office/place';
import type { TableCard } from './types';

interface CardChoiceProps {
  cards: TableCard[];
  isChosen: (qrCodeId: string) => boolean;
  onChoose: (qrCodeIds: string[]) => void;
}

/** Chooses the tables that get a card. Default: all. */
export function CardChoice({ cards, isChosen, onChoose }: CardChoiceProps) {
  const t = useTranslations('qrCodes');
  const place = usePlace();
  const toggle = (toggled: string) => {
    const ids = cards.map(({ qrCodeId }) => qrCodeId);
    onChoose(ids.filter((id) => isChosen(id) !== (id === toggled)));
  };
  return (
    <fieldset className="min-w-0 grow">
      <legend className="mb-2 text-sm font-medium">{t('whichTables')}</legend>
      <div className="flex flex-wrap gap-2">
        {cards.map((card) => (
          <label
            key={card.qrCodeId}
            className="flex min-h-9 cursor-pointer items-center gap-2 rounded-lg border border-edge bg-surface px-3 text-sm has-checked:border-accent has-checked:bg-tint"
          >
            <input
              type="checkbox"
              className="size-4 accent-accent"
              checked={isChosen(card.qrCodeId)}
              onChange={() => toggle(card.qrCodeId)}
            />
            {place(card)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
