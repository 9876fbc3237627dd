import type { ItemOnOffer, OptionOnOffer } from '@/server/domain/qr-ordering';
import { fillText } from '../words';
import { useSpeech } from './table-context';

interface ItemFactsProps {
  item: ItemOnOffer;
  /** The chosen options, whose allergens are added to the dish's own. */
  options?: readonly OptionOnOffer[];
}

/** A dish's description and allergens. */
export function ItemFacts({ item, options = [] }: ItemFactsProps) {
  const { words } = useSpeech();
  const { description } = item;
  const names = [item, ...options].flatMap(({ allergens }) => allergens.map((allergen) => words[allergen]));
  return (
    <>
      {description ? <p className="text-[0.9375rem]/6 text-muted wrap-anywhere">{description}</p> : null}
      {names.length > 0 ? (
        <p className="text-sm/5 text-muted">
          {fillText(words.contains, { allergens: [...new Set(names)].join(words.comma) })}
        </p>
      ) : null}
    </>
  );
}
