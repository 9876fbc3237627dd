import { useId, useState } from 'react';
import { type Allergen, allergens, type Diet, diets } from '@/server/domain/kernel/context';
import type { CategoryOnOffer } from '@/server/domain/qr-ordering';
import { fillText } from '../../words';
import { Sheet } from '../sheet';
import { useSpeech } from '../table-context';
import { applyFilter, type MenuFilter, parseFilter } from './finder';

interface FilterSheetProps {
  categories: readonly CategoryOnOffer[];
  filter: string;
  warning: string | null;
  onSave: (filter: string) => void;
  onClose: () => void;
}

const save = (filter: MenuFilter): string =>
  filter.avoid.length + filter.only.length > 0 ? JSON.stringify(filter) : '';

const countOf = (categories: readonly CategoryOnOffer[]) =>
  categories.reduce((sum, { items }) => sum + items.length, 0);

/** Offers the diets and allergens that the menu declares, and those chosen earlier. */
export function FilterSheet({ categories, filter, warning, onSave, onClose }: FilterSheetProps) {
  const { words } = useSpeech();
  const formId = useId();
  const [chosen, setChosen] = useState(() => parseFilter(filter));
  const [before] = useState(chosen);
  const items = categories.flatMap((category) => category.items);
  const declared = new Set([
    ...before.avoid,
    ...items
      .flatMap((item) => [item, ...item.optionGroups.flatMap(({ options }) => options)])
      .flatMap((one) => one.allergens),
  ]);
  const suited = new Set([...before.only, ...items.flatMap((item) => item.diets)]);
  const left = countOf(applyFilter(categories, save(chosen)));
  return (
    <Sheet
      title={words.filterTitle}
      warning={warning}
      onClose={onClose}
      footer={
        <div className="sheet-footer">
          <button type="button" className="quiet-button" onClick={() => setChosen({ avoid: [], only: [] })}>
            {words.clearFilter}
          </button>
          <button type="submit" form={formId} className="primary-button grow justify-center">
            {fillText(words.showDishes, { count: left, total: items.length })}
          </button>
        </div>
      }
    >
      <form
        id={formId}
        method="dialog"
        onSubmit={() => onSave(save(chosen))}
        className="space-y-5 px-5 pt-2 pb-6 sm:px-6"
      >
        <p className="notice-caution text-[0.9375rem]/6">{words.filterHint}</p>
        {declared.size + suited.size === 0 ? <p className="text-muted">{words.nothingDeclared}</p> : null}
        <Choices<Diet>
          legend={words.onlyDiets}
          offered={diets.filter((diet) => suited.has(diet))}
          chosen={chosen.only}
          onChoose={(only) => setChosen({ ...chosen, only })}
        />
        <Choices<Allergen>
          legend={words.avoidAllergens}
          offered={allergens.filter((allergen) => declared.has(allergen))}
          chosen={chosen.avoid}
          onChoose={(avoid) => setChosen({ ...chosen, avoid })}
        />
      </form>
    </Sheet>
  );
}

interface ChoicesProps<Value> {
  legend: string;
  offered: readonly Value[];
  chosen: readonly Value[];
  onChoose: (chosen: Value[]) => void;
}

function Choices<Value extends Allergen | Diet>({ legend, offered, chosen, onChoose }: ChoicesProps<Value>) {
  const { words } = useSpeech();
  const names: Record<Allergen | Diet, string> = words;
  // In Japan, gluten is called wheat.
  const named = offered.filter((one, at) => offered.findIndex((other) => names[other] === names[one]) === at);
  if (named.length === 0) return null;
  return (
    <fieldset className="min-w-0 border-t border-line pt-4">
      <legend className="float-left w-full font-semibold tracking-[-0.01em]">{legend}</legend>
      <div className="clear-both grid grid-cols-2 gap-x-4 pt-1 sm:grid-cols-3">
        {named.map((value) => (
          <label key={value} className="option">
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={({ target }) =>
                onChoose(target.checked ? [...chosen, value] : chosen.filter((one) => one !== value))
              }
            />
            <span className="inline-block wrap-anywhere first-letter:uppercase">{names[value]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
