import { type FormEvent, useId, useRef, useState } from 'react';
import type { ItemOnOffer } from '@/server/domain/qr-ordering';
import { type CartLine, cartLimits, cleanNote } from './cart/cart';
import { missingOf, unitPriceOf } from './cart/check-cart';
import { DishPhoto } from './dish-photo';
import { ItemFacts } from './item-facts';
import { OptionGroup } from './option-group';
import { Sheet } from './sheet';
import { Stepper } from './stepper';
import { Price, useSpeech } from './table-context';

interface ItemSheetProps {
  item: ItemOnOffer;
  /** What it starts with: a line of the cart or of an earlier order; null for a dish of the menu. */
  line: CartLine | null;
  isNew: boolean;
  /** A warning about the connection. */
  warning: string | null;
  onSave: (line: CartLine) => void;
  onClose: () => void;
}

/** One dish: its photo, options, note and quantity. */
export function ItemSheet({ item, line, isNew, warning, onSave, onClose }: ItemSheetProps) {
  const { words } = useSpeech();
  const { plu, name, photoId, optionGroups, isSoldOut } = item;
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const options = optionGroups.flatMap((group) => group.options);
  const [picked, pick] = useState<readonly string[]>(line?.optionIds ?? []);
  const [note, setNote] = useState(line?.note ?? '');
  const [quantity, setQuantity] = useState(line?.quantity ?? 1);
  const [isChecked, setChecked] = useState(false);
  // An option that has sold out is deselected.
  const onOffer = options.filter((option) => picked.includes(option.id) && !option.isSoldOut);
  const chosen = onOffer.map(({ id }) => id);
  const unitPrice = unitPriceOf(item, chosen);

  const save = (event: FormEvent) => {
    const isWrong = optionGroups.some((group) => missingOf(group, chosen) !== 0);
    if (isWrong || isSoldOut) {
      event.preventDefault();
      setChecked(true);
      form.current?.querySelector<HTMLElement>('[data-wrong] input:not(:disabled)')?.focus();
      return;
    }
    const wish = cleanNote(note.trim(), cartLimits.lineNote);
    const optionNames = onOffer.map((option) => option.name);
    onSave({ plu, name, optionIds: chosen, optionNames, quantity, note: wish, unitPrice });
  };

  return (
    <Sheet
      title={name}
      warning={warning}
      onClose={onClose}
      top={photoId ? <DishPhoto photoId={photoId} /> : null}
      footer={
        <div className="sheet-footer">
          <Stepper name={name} quantity={quantity} min={1} onChange={setQuantity} />
          <button
            type="submit"
            form={formId}
            className="primary-button grow flex-wrap gap-y-0"
            aria-disabled={isSoldOut || undefined}
          >
            <span>{isSoldOut ? words.soldOut : isNew ? words.addToCart : words.updateCart}</span>
            <Price amount={unitPrice * quantity} className="tabular-nums" />
          </button>
        </div>
      }
    >
      <form ref={form} id={formId} method="dialog" onSubmit={save} className="space-y-5 px-5 pt-2 pb-6 sm:px-6">
        <div>
          <Price amount={item.price} className="font-medium tabular-nums" />
          <ItemFacts item={item} options={onOffer} />
        </div>
        {optionGroups.map((group) => (
          <OptionGroup key={group.id} group={group} chosen={chosen} onChoose={pick} isChecked={isChecked} />
        ))}
        <label className="block border-t border-line pt-4">
          <span className="font-semibold tracking-[-0.01em]">{words.itemNote}</span>
          <span className="block text-sm text-muted">{words.itemNoteHint}</span>
          <textarea
            value={note}
            onChange={({ target }) => setNote(target.value)}
            maxLength={cartLimits.lineNote}
            rows={2}
            className="text-box mt-2"
          />
        </label>
      </form>
    </Sheet>
  );
}
