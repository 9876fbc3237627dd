import type { ItemOnOffer } from '@/server/domain/qr-ordering';
import { fillText } from '../../words';
import { DishPhoto } from '../dish-photo';
import { ItemFacts } from '../item-facts';
import { Sheet } from '../sheet';
import { Price, useSpeech } from '../table-context';

interface DishSheetProps {
  item: ItemOnOffer;
  warning: string | null;
  onClose: () => void;
}

/** One dish to read about: its photo, allergens and options. */
export default function DishSheet({ item, warning, onClose }: DishSheetProps) {
  const { words } = useSpeech();
  return (
    <Sheet
      title={item.name}
      warning={warning}
      onClose={onClose}
      top={item.photoId ? <DishPhoto photoId={item.photoId} /> : null}
      footer={null}
    >
      <div className="space-y-5 px-5 pt-2 pb-8 sm:px-6">
        <div>
          <p className="flex flex-wrap gap-x-3 font-medium">
            <Price amount={item.price} className="tabular-nums" />
            {item.isSoldOut ? <span className="text-danger">{words.soldOut}</span> : null}
          </p>
          <ItemFacts item={item} />
        </div>
        {item.optionGroups.map((group) => (
          <section key={group.id} className="border-t border-line pt-4">
            <h3 className="font-semibold tracking-[-0.01em]">{group.name}</h3>
            <ul className="mt-1">
              {group.options.map((option) => (
                <li key={option.id} className="flex justify-between gap-4 py-1 text-[0.9375rem]/6">
                  <span className={option.isSoldOut ? 'text-muted line-through wrap-anywhere' : 'wrap-anywhere'}>
                    {option.name}
                  </span>
                  <OptionPrice amount={option.price} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Sheet>
  );
}

function OptionPrice({ amount }: { amount: number }) {
  const { words, money } = useSpeech();
  if (amount === 0) return null;
  const text = fillText(amount > 0 ? words.plus : words.minus, { price: money(Math.abs(amount)) });
  return <span className="shrink-0 text-muted tabular-nums">{text}</span>;
}
