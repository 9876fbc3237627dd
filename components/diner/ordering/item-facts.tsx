import type { ItemOnOffer } from '@/server/domain/qr-ordering';
import { fill } from '../words';
import { useSpeech } from './table-context';

/** A dish's description and allergens. */
export function ItemFacts({ item: { description, allergens } }: { item: ItemOnOffer }) {
  const { words } = useSpeech();
  const names = allergens.map((allergen) => words[allergen]);
  return (
    <>
      {description ? <p className="text-[0.9375rem]/6 text-muted wrap-anywhere">{description}</p> : null}
      {names.length > 0 ? (
        <p className="text-sm/5 text-muted">{fill(words.contains, { allergens: names.join(words.comma) })}</p>
      ) : null}
    </>
  );
}
